package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Server;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that ask a server with a certificate of its own authority, by TLS both ways. */
class RemoteTlsTest {
  private static final Path FILES = Path.of("src", "test", "resources", "tls");
  private static final String SERVER = file("server.pem");
  private static final String CLIENT = file("client.pem");
  private static final String CLIENT_KEY = file("client.key");

  private static Server open;
  private static Server mutual;

  private final Shell shell = new Shell(JsonAnswersTest.Root.class);

  private static String file(String name) {
    return FILES.resolve(name).toString();
  }

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    Map<Setting, String> own =
        Map.of(Setting.TLS_CERT, SERVER, Setting.TLS_KEY, file("server.key"));
    open = Shell.serve(folder.resolve("open"), own);
    mutual =
        Shell.serve(
            folder.resolve("mutual"),
            Map.of(
                Setting.TLS_CERT,
                SERVER,
                Setting.TLS_KEY,
                file("server.key"),
                Setting.TLS_CLIENT_CA,
                CLIENT));
  }

  @AfterAll
  static void end() {
    open.close();
    mutual.close();
  }

  private int ask(Server server, String command, String... options) {
    List<String> all = new ArrayList<>(List.of(command.split(" ")));
    all.addAll(List.of(options));
    return shell.runAt(server.addresses().url(), all.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check demo user=1 --cost 0",
        "policy list",
        "policy get demo/user",
        "shards",
        "cluster status"
      })
  void anyCommand_withTheFiles_isAnswered(String command) {
    assertThat(ask(open, command, "--ca", SERVER)).as(shell.err()).isZero();
    assertThat(ask(mutual, command, "--ca", SERVER, "--cert", CLIENT, "--cert-key", CLIENT_KEY))
        .as(shell.err())
        .isZero();
  }

  @Test
  void server_ofAnUnknownAuthority_isStatus1AndNamesTheOption() {
    assertThat(ask(open, "shards")).isEqualTo(1);
    assertThat(shell.err())
        .startsWith("server: " + open.addresses().url() + " (expected: ")
        .contains("--ca FILE");
    assertThat(ask(open, "shards", "--ca", CLIENT)).isEqualTo(1);
    assertThat(shell.err()).contains("--ca FILE");
  }

  @Test
  void server_thatAsksForACertificate_isStatus1AndNamesTheOptions() {
    assertThat(ask(mutual, "shards", "--ca", SERVER)).isEqualTo(1);
    assertThat(shell.err()).contains("--cert FILE --cert-key FILE").doesNotContain("--ca");
    assertThat(
            ask(
                mutual,
                "shards",
                "--ca",
                SERVER,
                "--cert",
                SERVER,
                "--cert-key",
                file("server.key")))
        .as("a certificate of somebody else")
        .isEqualTo(1);
    assertThat(shell.err()).contains("--cert FILE --cert-key FILE");
  }

  @Test
  void advice_anyFailure_isWhatHelps() {
    URI uri = URI.create("https://localhost:1");
    IOException closed = new IOException("HTTP/1.1 header parser received no bytes");
    Throwable untrusted = new CertificateException(new CertPathBuilderException("none found"));
    assertThat(Tls.advice(uri, closed)).contains("--cert FILE --cert-key FILE");
    assertThat(Tls.advice(URI.create("http://localhost:1"), closed)).isEmpty();
    assertThat(Tls.advice(uri, new ConnectException("Connection refused"))).isEmpty();
    assertThat(Tls.advice(uri, new SSLException(new CertificateException("No name matching"))))
        .isEmpty();
    assertThat(Tls.advice(uri, new SSLException(untrusted))).contains("--ca FILE");
  }

  @Test
  void files_thatAreWrong_areNamed() {
    assertThat(ask(open, "shards", "--ca", "none.pem")).isEqualTo(1);
    assertThat(shell.err()).contains("[none.pem]: not there");
    assertThat(ask(open, "shards", "--ca", CLIENT_KEY)).isEqualTo(1);
    assertThat(shell.err()).contains("client.key]: certificate: ").contains("(expected: ");
    assertThat(ask(open, "shards", "--cert", CLIENT, "--cert-key", file("server.key")))
        .isEqualTo(1);
    assertThat(shell.err()).contains("key: of another certificate (expected: of this one)");
    assertThat(ask(open, "shards", "--ca", SERVER, "--cert", CLIENT)).isEqualTo(2);
    assertThat(shell.err()).startsWith("cert-key: none (expected: the key of --cert)");
    assertThat(ask(open, "shards", "--ca", SERVER, "--cert-key", CLIENT_KEY)).isEqualTo(2);
    assertThat(shell.err()).startsWith("cert: none (expected: the certificate of --cert-key)");
  }

  @Test
  void environment_ofTheCommands_isNoMistakeOfAServer() {
    Map<String, String> environment =
        Map.of("PENSTOCK_CA", SERVER, "PENSTOCK_CERT", CLIENT, "PENSTOCK_CERT_KEY", CLIENT_KEY);
    ServerConfig config = ServerConfig.read(Map.of(), /* config= */ null, environment);
    assertThat(config.tls().cert()).isNull();
  }
}
