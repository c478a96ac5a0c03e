package io.penstock.server.grpc;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps the codec from logging what any client can make it log: frames on streams that are gone.
 * Thread-safe.
 */
final class QuietLogs {
  /** Held here because a logger that nobody holds forgets its level. */
  private static final Logger DECODER =
      Logger.getLogger("io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder");

  private QuietLogs() {}

  /** Lets only failures of the server itself through. */
  static void begin() {
    DECODER.setLevel(Level.SEVERE);
  }
}
