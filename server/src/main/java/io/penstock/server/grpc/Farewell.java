package io.penstock.server.grpc;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection whose calls under way are still answered. Confined to its event loop.
 *
 * <p>A client learns of it first, and only when it has heard of it which of its calls came too
 * late: so none does.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class Farewell {
  private static final long HAVE_YOU_HEARD = 0x70656e73746f636bL;
  private static final int HEARD_MILLIS = 1_000;

  private final ChannelHandlerContext context;
  private final Http2ConnectionHandler handler;
  private boolean begun;

  Farewell(ChannelHandlerContext context, Http2ConnectionHandler handler) {
    this.context = context;
    this.handler = handler;
  }

  boolean hasBegun() {
    return begun;
  }

  void begin() {
    if (!begun) {
      begun = true;
      goAway(Integer.MAX_VALUE);
      handler.encoder().writePing(context, /* ack= */ false, HAVE_YOU_HEARD, context.newPromise());
      handler.flush(context);
      context.executor().schedule(this::end, HEARD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** The client has answered a ping. */
  void heard(long ping) {
    if (ping == HAVE_YOU_HEARD && begun) {
      end();
    }
  }

  private void end() {
    if (context.channel().isActive()) {
      goAway(handler.connection().remote().lastStreamCreated());
      context.pipeline().close();
    }
  }

  private void goAway(int lastStreamId) {
    handler.goAway(
        context,
        lastStreamId,
        Http2Error.NO_ERROR.code(),
        Unpooled.EMPTY_BUFFER,
        context.newPromise());
  }
}
