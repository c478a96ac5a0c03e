package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.vertx.core.http.HttpServerOptions;

/** How the HTTP of the library is set up. Stateless. */
final class ServerOptions {
  private static final int BACKLOG = 1_024;

  private ServerOptions() {}

  static HttpServerOptions of(Bounds bounds) {
    return new HttpServerOptions()
        .setAcceptBacklog(BACKLOG)
        .setTcpNoDelay(true)
        .setMaxInitialLineLength(bounds.headBytes())
        .setMaxHeaderSize(bounds.headBytes())
        // Only when the head is accepted; see Exchange.
        .setHandle100ContinueAutomatically(false)
        // One protocol on this port: an upgrade would be a second way in, and work for each answer.
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setHttp2ClearTextEnabled(false)
        .setUseAlpn(false);
  }
}
