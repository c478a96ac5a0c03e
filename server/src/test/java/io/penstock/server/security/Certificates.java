package io.penstock.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A self-signed certificate with its key, made by keytool. */
public final class Certificates {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Base64.Encoder MIME = Base64.getMimeEncoder();

  private final KeyStore store;

  private Certificates(KeyStore store) {
    this.store = store;
  }

  public static Certificates make(Path folder, String name) throws Exception {
    Path file = folder.resolve(name + ".p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return new Certificates(KeyStore.getInstance(file.toFile(), PASSWORD));
  }

  public Path writeCertificate(Path file) throws Exception {
    return write(file, "CERTIFICATE", store.getCertificate("it").getEncoded());
  }

  public Path writeKey(Path file) throws Exception {
    return write(file, "PRIVATE KEY", store.getKey("it", PASSWORD).getEncoded());
  }

  private static Path write(Path file, String kind, byte[] content) throws IOException {
    String text = MIME.encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  /** A client that trusts only this one, and shows another if it has one. */
  public SSLContext client(@Nullable Certificates own) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", store.getCertificate("it"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own == null ? null : own.store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
