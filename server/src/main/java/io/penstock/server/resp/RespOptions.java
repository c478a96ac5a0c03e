package io.penstock.server.resp;

import io.netty.handler.ssl.SslContext;
import io.penstock.server.Bounds;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where and how the Redis protocol is served. Immutable.
 *
 * @param address TCP; port 0 takes a free one
 * @param socket a Unix socket besides; null for none
 * @param tls asked for each TCP connection, so that a new certificate counts at once; null for
 *     plain text
 * @param bounds how much clients may ask for
 * @param idle how long a connection may go without a whole command. Clients of Redis expect theirs
 *     to live on, so this is long; who has to log in has only the {@code idleSeconds} of the bounds
 *     for it, whatever else they send
 * @param threads event loops
 */
public record RespOptions(
    InetSocketAddress address,
    @Nullable Path socket,
    @Nullable Supplier<SslContext> tls,
    Bounds bounds,
    Duration idle,
    int threads) {

  private static final Duration IDLE = Duration.ofMinutes(30);

  /** Plain text over TCP, one event loop per processor. */
  public static RespOptions at(InetSocketAddress address) {
    return new RespOptions(
        address,
        /* socket= */ null,
        /* tls= */ null,
        Bounds.defaults(),
        IDLE,
        Runtime.getRuntime().availableProcessors());
  }

  /** The same, also on a Unix socket. */
  public RespOptions withSocket(@Nullable Path path) {
    return new RespOptions(address, path, tls, bounds, idle, threads);
  }

  /** The same with TLS on TCP. */
  public RespOptions withTls(@Nullable Supplier<SslContext> contexts) {
    return new RespOptions(address, socket, contexts, bounds, idle, threads);
  }

  /** The same with other bounds. */
  public RespOptions withBounds(Bounds other) {
    return new RespOptions(address, socket, tls, other, idle, threads);
  }

  /** The same with another time until a silent connection is closed. */
  public RespOptions withIdle(Duration other) {
    return new RespOptions(address, socket, tls, bounds, other, threads);
  }
}
