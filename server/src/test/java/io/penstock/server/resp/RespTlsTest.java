package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.penstock.server.security.Gatekeeper;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RespTlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir Path folder;

  private KeyStore store() throws Exception {
    Path file = folder.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
  }

  @Test
  void call_overTls_isAnsweredAlsoWhenItIsLarge() throws Exception {
    KeyStore store = store();
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, PASSWORD.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, trust.getTrustManagers(), null);
    SslContext context = SslContextBuilder.forServer(keys).build();

    RespOptions options = RespClient.local();
    try (RespServer server =
            RespServer.start(
                options.withTls(() -> context),
                Nodes.inMemory(),
                Gatekeeper.open(),
                new RespStats());
        RespClient client =
            new RespClient(trusting.getSocketFactory().createSocket("127.0.0.1", server.port()))) {
      String large = "x".repeat(8_000);
      client.send(RespClient.array("ECHO", large).repeat(100));
      for (int i = 0; i < 100; i++) {
        assertThat(client.read()).isEqualTo(large);
      }
      assertThat(client.call("QUIT")).isEqualTo("+OK");
      assertThat(client.read()).isEqualTo("EOF");
    }
  }
}
