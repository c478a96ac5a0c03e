package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.penstock.server.config.Network;
import io.penstock.server.security.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and how HTTP is spoken. Immutable.
 *
 * @param host the address to listen at
 * @param port 0 for any that is free
 * @param uds a Unix socket to listen at as well, without TLS; null for none
 * @param tls null for none
 * @param loops how many event loops, each with a thread
 * @param trustedProxies whose {@code X-Forwarded-For} counts
 * @param resetIsUnixTime whether {@code X-RateLimit-Reset} is an instant and not a span
 */
public record HttpSettings(
    String host,
    int port,
    @Nullable Path uds,
    @Nullable TlsConfig tls,
    int loops,
    Bounds bounds,
    List<Network> trustedProxies,
    boolean resetIsUnixTime) {

  public HttpSettings {
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** Plain HTTP at a loopback port, with as many loops as there are cores. */
  public static HttpSettings local(int port) {
    return new HttpSettings(
        "127.0.0.1",
        port,
        /* uds= */ null,
        /* tls= */ null,
        Runtime.getRuntime().availableProcessors(),
        Bounds.defaults(),
        List.of(),
        /* resetIsUnixTime= */ false);
  }
}
