package io.penstock.server.grpc;

import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.server.security.Caller;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;

/**
 * One connection: its frames become calls, and all answers of a read leave in one flush. Confined
 * to its event loop, except {@link #run}, {@link #later} and {@link #leave}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class Connection extends Http2FrameAdapter {
  private static final Logger LOG = System.getLogger(Connection.class.getName());

  private static final AsciiString ENVOY =
      AsciiString.cached("/" + RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName());

  /** A call that was answered as soon as it began. */
  private static final Call OVER =
      new Call() {
        @Override
        public int read(ByteBuf data, boolean isLast) {
          return data.readableBytes();
        }

        @Override
        public void closed() {}
      };

  private final ChannelHandlerContext context;
  private final Http2ConnectionHandler handler;
  private final Http2Connection streams;
  private final Http2Connection.PropertyKey callKey;
  private final Services services;
  private final Patience patience;
  private final Farewell farewell;
  private boolean reading;
  private boolean flushing;
  private boolean newSettings = true;

  /** Takes over a channel whose last handler is this one; called on its event loop. */
  Connection(ChannelHandlerContext context, Http2ConnectionHandler handler, Services services) {
    this.context = context;
    this.handler = handler;
    this.streams = handler.connection();
    this.callKey = streams.newKey();
    this.services = services;
    this.patience = new Patience(this, services.bounds().idleSeconds());
    this.farewell = new Farewell(context, handler);
    streams.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            Call call = stream.removeProperty(callKey);
            if (call != null) {
              call.closed();
            }
          }
        });
  }

  ChannelHandlerContext context() {
    return context;
  }

  Http2ConnectionHandler handler() {
    return handler;
  }

  /** Whether no calls are taken any more. */
  boolean isLeaving() {
    return farewell.hasBegun();
  }

  /** Whether the client has sent settings since this was asked last. */
  boolean hasNewSettings() {
    boolean was = newSettings;
    newSettings = false;
    return was;
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean isLast) {
    patience.called();
    Http2Stream stream = streams.stream(streamId);
    Call call = stream.getProperty(callKey);
    if (call == null) {
      call = begin(new Reply(this, streamId), headers);
      stream.setProperty(callKey, call);
    }
    if (isLast) {
      read(call, Unpooled.EMPTY_BUFFER, /* isLast= */ true);
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int streamId,
      Http2Headers headers,
      int streamDependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean isLast) {
    onHeadersRead(ctx, streamId, headers, padding, isLast);
  }

  /** The call that begins with these fields, and may end with them too. */
  private Call begin(Reply reply, Http2Headers headers) {
    if (!Head.isPost(headers)) {
      reply.refuse(405, ":method: " + headers.method() + " (expected: POST)");
      return OVER;
    }
    if (!Head.isGrpc(headers)) {
      CharSequence type = headers.get(Head.CONTENT_TYPE);
      reply.refuse(415, "content-type: " + type + " (expected: application/grpc)");
      return OVER;
    }
    try {
      Messages messages = new Messages(services.bounds().bodyBytes(), Head.isGzip(headers));
      if (!ENVOY.contentEquals(headers.path())) {
        return services.bridge().call(reply, headers, messages);
      }
      Caller caller = services.callers().known(headers);
      return new EnvoyCall(reply, services.envoy(), caller, headers, messages);
    } catch (StatusRuntimeException e) {
      reply.end(e.getStatus(), Calls.trailers(e));
      return OVER;
    }
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean isLast) {
    patience.heard();
    Call call = streams.stream(streamId).getProperty(callKey);
    return padding + read(call == null ? OVER : call, data, isLast);
  }

  /** What is answered meanwhile is flushed when everything is read. */
  private int read(Call call, ByteBuf data, boolean isLast) {
    reading = true;
    try {
      return call.read(data, isLast);
    } finally {
      reading = false;
    }
  }

  /** Lets the client of a stream send as many bytes more. */
  void consumed(int streamId, int bytes) {
    Http2Stream stream = streams.stream(streamId);
    if (stream != null && bytes > 0) {
      try {
        streams.local().flowController().consumeBytes(stream, bytes);
      } catch (Http2Exception e) {
        handler.onError(context, /* outbound= */ false, e);
      }
    }
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
      throws Http2Exception {
    newSettings = true;
    patience.greeted();
    patience.bothered();
  }

  @Override
  public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
    patience.bothered();
  }

  @Override
  public void onPriorityRead(
      ChannelHandlerContext ctx, int streamId, int dependency, short weight, boolean exclusive)
      throws Http2Exception {
    patience.bothered();
  }

  @Override
  public void onUnknownFrame(
      ChannelHandlerContext ctx, byte type, int streamId, Http2Flags flags, ByteBuf payload) {
    try {
      patience.bothered();
    } catch (Http2Exception e) {
      handler.onError(context, /* outbound= */ false, e);
    }
  }

  @Override
  public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment) {
    patience.relieved();
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext ctx, long data) {
    patience.heard();
    farewell.heard(data);
  }

  /** Does what writes answers: at once while frames are read, else on the event loop. */
  void run(Runnable work) {
    if (context.executor().inEventLoop() && reading) {
      work.run();
    } else {
      later(work);
    }
  }

  /** Does what writes answers on the event loop, after what it was given before. */
  void later(Runnable work) {
    try {
      context
          .executor()
          .execute(
              () -> {
                work.run();
                flushSoon();
              });
    } catch (RejectedExecutionException ended) {
      LOG.log(Level.DEBUG, "nobody waits for an answer any more", ended);
    }
  }

  /** Behind everything else that waits, so that many answers share a flush. */
  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      context
          .executor()
          .execute(
              () -> {
                flushing = false;
                handler.flush(context);
              });
    }
  }

  /** Takes no more calls, and ends when those under way are answered. */
  void leave() {
    context.executor().execute(farewell::begin);
  }
}
