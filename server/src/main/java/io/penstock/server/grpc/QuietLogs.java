package io.penstock.server.grpc;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps the transport from logging, with a stack trace each, what any client can make it log: what
 * it sends that is no HTTP/2, too large or cut short. Thread-safe.
 */
final class QuietLogs {
  private static final String SHADED = "io.grpc.netty.shaded.";

  /** Held here because a logger that nobody holds forgets its level. */
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger(SHADED + "io.grpc.netty.NettyServerStream"),
          Logger.getLogger(SHADED + "io.grpc.netty.NettyServerTransport"),
          Logger.getLogger(SHADED + "io.grpc.netty.NettyServerHandler"),
          /* Complains about each connection at a Unix socket, which has no keep-alive. */
          Logger.getLogger(SHADED + "io.netty.bootstrap"));

  private QuietLogs() {}

  /** Lets only failures of the server itself through. */
  static void begin() {
    LOGGERS.forEach(logger -> logger.setLevel(Level.SEVERE));
  }
}
