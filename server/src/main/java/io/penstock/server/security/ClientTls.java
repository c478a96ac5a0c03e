package io.penstock.server.security;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS for whoever asks a server, from files as those of the server. Stateless. */
public final class ClientTls {
  private ClientTls() {}

  /**
   * Reads the files, each of which may be null.
   *
   * @param ca who must have signed the server's certificate; if null, whom the JVM trusts
   * @param cert what to show a server that asks for it, with its key
   * @param key of the certificate; without one of the two, nothing is shown
   * @throws IllegalArgumentException if a file is wrong
   */
  public static SSLContext of(@Nullable Path ca, @Nullable Path cert, @Nullable Path key) {
    TrustManager[] trust = null;
    KeyManager[] keys = null;
    if (ca != null) {
      trust =
          new TrustManager[] {
            WatchedFiles.open(List.of(ca), all -> CurrentTrust.of(Pem.certificates(all.get(0))))
                .value()
          };
    }
    if (cert != null && key != null) {
      Identity identity =
          WatchedFiles.open(List.of(cert, key), all -> Identity.of(all.get(0), all.get(1))).value();
      keys = new KeyManager[] {new CurrentKey(() -> identity)};
    }
    try {
      if (trust == null && keys == null) {
        return SSLContext.getDefault();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, /* random= */ null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
