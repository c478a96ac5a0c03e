package io.penstock.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.config.Setting;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

class FlagsTest {
  /** What the library for command lines reads. */
  private static Flags byLibrary(String... arguments) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    ParseResult serve = Penstock.commandLine(nowhere, nowhere).parseArgs(arguments).subcommand();
    Map<Setting, String> settings = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      String value = serve.matchedOptionValue("--" + setting.key(), null);
      if (value != null) {
        settings.put(setting, value);
      }
    }
    Path config = serve.matchedOptionValue("--config", null);
    return new Flags(settings, config);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve",
        "serve --http-port 0 --grpc-port=1 --data a/b",
        "serve --config c.yaml --policies p=q.yaml",
        "serve --config=c.yaml --trusted-proxies=10.0.0.0/8,::1 --memory 2GB",
      })
  void plain_settings_areThoseThatTheLibraryReads(String line) {
    String[] arguments = line.split(" ");
    assertThat(requireNonNull(Flags.plain(arguments))).isEqualTo(byLibrary(arguments));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "check",
        "serve --help",
        "serve -h",
        "serve --http-port",
        "serve --http-port --data x",
        "serve --http-port= --data x",
        "serve --http-port 1 --http-port 2",
        "serve --config a --config b",
        "serve --nonsense 1",
        "serve http-port 1",
        "serve --insecure",
        "serve --insecure true",
        "serve --insecure --data x",
        "--version",
      })
  void plain_allElse_isLeftToTheLibrary(String line) {
    assertThat(Flags.plain(line.split(" "))).isNull();
  }
}
