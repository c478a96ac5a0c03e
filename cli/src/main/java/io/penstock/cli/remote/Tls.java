package io.penstock.cli.remote;

import io.penstock.server.security.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whom a command trusts that asks by TLS, and what it shows. Confined to one thread. */
final class Tls {
  @Option(
      names = "--ca",
      paramLabel = "FILE",
      defaultValue = "${env:PENSTOCK_CA}",
      description =
          "Who must have signed the server's certificate, PEM. Default: $PENSTOCK_CA, or whom the"
              + " JVM trusts.")
  @Nullable Path ca;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      defaultValue = "${env:PENSTOCK_CERT}",
      description = "The certificate to show, PEM. Default: $PENSTOCK_CERT, or none.")
  @Nullable Path cert;

  @Option(
      names = "--cert-key",
      paramLabel = "FILE",
      defaultValue = "${env:PENSTOCK_CERT_KEY}",
      description = "Its key, unencrypted PKCS#8 in PEM. Default: $PENSTOCK_CERT_KEY.")
  @Nullable Path certKey;

  /** What connections are made with. */
  SSLContext context(CommandLine command) throws IOException {
    if ((cert == null) != (certKey == null)) {
      throw new ParameterException(
          command,
          cert == null
              ? "cert: none (expected: the certificate of --cert-key)"
              : "cert-key: none (expected: the key of --cert)");
    }
    try {
      return ClientTls.of(ca, cert, certKey);
    } catch (IllegalArgumentException wrong) {
      throw new IOException("tls: " + wrong.getMessage(), wrong);
    }
  }

  /**
   * What to do about a question that failed, to be put behind what was expected.
   *
   * <p>A server that misses a certificate says so when the client is done with its handshake, and
   * closes: whether the client reads that, or finds the connection closed, is chance.
   */
  static String advice(URI uri, Throwable failure) {
    if (!"https".equalsIgnoreCase(uri.getScheme())) {
      return "";
    }
    boolean isKnown = false;
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof CertPathBuilderException) {
        return "; --ca FILE names who has signed its certificate";
      }
      isKnown |=
          each instanceof CertificateException
              || each instanceof ConnectException
              || each instanceof HttpTimeoutException;
    }
    return isKnown ? "" : "; --cert FILE --cert-key FILE show a certificate, if it asks for one";
  }
}
