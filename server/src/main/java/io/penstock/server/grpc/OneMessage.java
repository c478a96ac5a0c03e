package io.penstock.server.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2RemoteFlowController.FlowControlled;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * An answer of one message that went well: all its frames in one buffer, as far as the client has
 * room for them. Confined to the event loop of its connection.
 *
 * <p>Its header fields are always the same, so they are written out once and for all, in a form
 * that leaves the tables of the connection alone.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails ends the connection.
final class OneMessage implements FlowControlled {
  private static final int FRAME_HEAD = 9;
  private static final int FRAME_MAX = 16_384;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  /** HPACK: {@code :status: 200} by its number, {@code content-type} by number with its value. */
  private static final byte[] BEGIN =
      "\u0088\u000f\u0010\u0010application/grpc".getBytes(ISO_8859_1);

  /** HPACK: {@code grpc-status: 0}, name and value. */
  private static final byte[] END = "\u0000\u000bgrpc-status\u00010".getBytes(ISO_8859_1);

  private final Connection connection;
  private final Http2Stream stream;
  private final byte[] message;
  private int sent;
  private ChannelFuture written;

  /**
   * @param message with its prefix
   */
  OneMessage(Connection connection, Http2Stream stream, byte[] message) {
    this.connection = connection;
    this.stream = stream;
    this.message = message;
    this.written = connection.context().newSucceededFuture();
  }

  @Override
  public int size() {
    return message.length - sent;
  }

  @Override
  public void write(ChannelHandlerContext context, int allowed) {
    int length = Math.min(allowed, size());
    int heads = (3 + length / FRAME_MAX) * FRAME_HEAD;
    ByteBuf out = context.alloc().buffer(heads + BEGIN.length + length + END.length);
    if (sent == 0) {
      begin(context, out);
    }
    for (int end = sent + length; sent < end; ) {
      int part = Math.min(FRAME_MAX, end - sent);
      head(out, part, DATA, /* flags= */ 0).writeBytes(message, sent, part);
      sent += part;
    }
    if (size() == 0) {
      head(out, END.length, HEADERS, END_HEADERS | END_STREAM).writeBytes(END);
    }
    if (connection.isLeaving()) {
      // Its end waits for the last answer, so that one must tell when it is out.
      written = context.write(out);
    } else {
      context.write(out, context.voidPromise());
    }
  }

  /** New settings of the client have to be confirmed in the header fields that come next. */
  private void begin(ChannelHandlerContext context, ByteBuf out) {
    stream.headersSent(/* isInformational= */ false);
    if (connection.hasNewSettings()) {
      connection
          .handler()
          .encoder()
          .frameWriter()
          .writeHeaders(
              context,
              stream.id(),
              Fields.BEGIN,
              /* padding= */ 0,
              /* endStream= */ false,
              context.newPromise());
    } else {
      head(out, BEGIN.length, HEADERS, END_HEADERS).writeBytes(BEGIN);
    }
  }

  private ByteBuf head(ByteBuf out, int length, int type, int flags) {
    return out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream.id());
  }

  @Override
  public void writeComplete() {
    connection.handler().closeStreamLocal(stream, written);
  }

  /** The stream is gone: nobody waits for the rest. */
  @Override
  public void error(ChannelHandlerContext context, Throwable cause) {}

  @Override
  public boolean merge(ChannelHandlerContext context, FlowControlled next) {
    return false;
  }
}
