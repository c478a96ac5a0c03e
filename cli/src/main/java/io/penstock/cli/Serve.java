package io.penstock.cli;

import io.penstock.server.config.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that runs the server until it is told to end. Its options are the settings. */
@Command(
    name = "serve",
    sortOptions = false,
    modelTransformer = Serve.SettingOptions.class,
    description = {
      "Run the server: HTTP, gRPC (Envoy RLS too) and the Redis protocol, in one process.",
      "Each option is also a variable PENSTOCK_HTTP_PORT and a key http-port of the file."
    })
final class Serve implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--config", paramLabel = "FILE", description = "Settings as YAML.")
  @Nullable Path config;

  /** Makes an option of every setting. */
  static final class SettingOptions implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      for (Setting setting : Setting.values()) {
        spec.addOption(option(setting));
      }
      return spec;
    }

    private static OptionSpec option(Setting setting) {
      String standard = setting.standard();
      String suffix = standard == null || standard.isEmpty() ? "." : ". Default: " + standard + ".";
      OptionSpec.Builder option =
          OptionSpec.builder("--" + setting.key())
              .type(String.class)
              .paramLabel(setting.hint())
              .description(capital(setting.description()) + suffix);
      return setting.isSwitch()
          ? option.arity("0..1").fallbackValue("true").build()
          : option.arity("1").build();
    }

    private static String capital(String text) {
      return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      String value = spec.findOption("--" + setting.key()).getValue();
      if (value != null) {
        flags.put(setting, value);
      }
    }
    return Serving.run(new Flags(flags, config), spec.commandLine().getOut());
  }
}
