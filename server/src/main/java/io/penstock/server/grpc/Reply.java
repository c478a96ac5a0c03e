package io.penstock.server.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * The answer to one call, as frames; who reads a connection flushes it. Confined to the event loop
 * of its connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails ends the stream or all of them.
final class Reply {
  private final Connection connection;
  private final ChannelHandlerContext context;
  private final Http2ConnectionHandler handler;
  private final int streamId;
  private boolean begun;
  private boolean ended;

  Reply(Connection connection, int streamId) {
    this.connection = connection;
    this.context = connection.context();
    this.handler = connection.handler();
    this.streamId = streamId;
  }

  Connection connection() {
    return connection;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Nobody is there any more: whatever comes is dropped. */
  void abandon() {
    ended = true;
  }

  void begin(Http2Headers headers) {
    if (!ended) {
      begun = true;
      handler
          .encoder()
          .writeHeaders(
              context, streamId, headers, /* padding= */ 0, /* endStream= */ false, promise());
    }
  }

  /** Sends a message, as soon as the client has room for it. */
  ChannelFuture message(byte[] message) {
    if (ended) {
      return context.newFailedFuture(new IllegalStateException("the stream is closed"));
    }
    ByteBuf data =
        context
            .alloc()
            .buffer(Messages.PREFIX + message.length)
            .writeByte(0)
            .writeInt(message.length)
            .writeBytes(message);
    return handler
        .encoder()
        .writeData(context, streamId, data, /* padding= */ 0, /* endOfStream= */ false, promise());
  }

  /** Lets the client send as many bytes more. */
  void consumed(int bytes) {
    connection.consumed(streamId, bytes);
  }

  /**
   * Ends a call that went well with its only message, after the client has said everything.
   *
   * @param message with its prefix
   */
  void answer(byte[] message) {
    Http2Stream stream = handler.connection().stream(streamId);
    if (!ended && stream != null) {
      ended = true;
      handler
          .encoder()
          .flowController()
          .addFlowControlled(stream, new OneMessage(connection, stream, message));
    }
  }

  /** Ends a call in whatever state it is. */
  void end(Status status, Metadata trailers) {
    Http2Headers headers =
        begun
            ? new DefaultHttp2Headers(/* validateHeaders= */ false)
            : Fields.begin(new Metadata());
    stop(Fields.end(headers, status, trailers));
  }

  /** Refuses what is no gRPC, in the words of HTTP. */
  void refuse(int httpStatus, String why) {
    Http2Headers headers =
        new DefaultHttp2Headers(/* validateHeaders= */ false)
            .status(Integer.toString(httpStatus))
            .set(Head.CONTENT_TYPE, "text/plain");
    stop(Fields.end(headers, Status.INTERNAL.withDescription(why), new Metadata()));
  }

  /** A client that still sends is told to stop, once it can have read why. */
  private void stop(Http2Headers headers) {
    if (!ended) {
      ended = true;
      last(headers)
          .addListener(
              sent -> {
                if (handler.connection().stream(streamId) != null) {
                  handler.resetStream(context, streamId, Http2Error.NO_ERROR.code(), promise());
                  context.flush();
                }
              });
    }
  }

  private ChannelFuture last(Http2Headers headers) {
    return handler
        .encoder()
        .writeHeaders(
            context, streamId, headers, /* padding= */ 0, /* endStream= */ true, promise());
  }

  private ChannelPromise promise() {
    return context.newPromise();
  }
}
