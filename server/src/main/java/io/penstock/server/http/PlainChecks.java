package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.penstock.server.node.Answer;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Gatekeeper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The short way of checks: answers them from the bytes of a connection, before the library decodes
 * anything. Confined to the event loop of its connection.
 *
 * <p>It answers whole, plain checks that are allowed or denied. With the first bytes that are
 * something else, an error included, it leaves the connection to the library, which reads them
 * again from their beginning; so everything but this has one way only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class PlainChecks extends ChannelDuplexHandler {
  /** More at once is not a check or two, and goes the long way. */
  private static final int BYTES_MAX = 1 << 14;

  private static final byte[] HEAD =
      ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
              + "x-content-type-options: nosniff\r\ncontent-length: ")
          .getBytes(US_ASCII);

  private static final int HEAD_REST = 16;

  /** What the connections of an event loop share. Confined to it. */
  static final class Room {
    private final CheckRoutes checks;
    private final Gatekeeper gatekeeper;
    private final PlainHead head;
    private final int bodyBytesMax;
    private final byte[] bytes = new byte[BYTES_MAX];

    Room(CheckRoutes checks, Gatekeeper gatekeeper, HttpSettings settings) {
      this.checks = checks;
      this.gatekeeper = gatekeeper;
      this.head = new PlainHead(settings.bounds().headBytes());
      this.bodyBytesMax = settings.bounds().bodyBytes();
    }

    private @Nullable Caller caller() {
      return gatekeeper.isOpen()
          ? gatekeeper.anonymous()
          : gatekeeper.byHeader(head.authorization(), head.apiKey());
    }
  }

  private final Room room;
  private final Deque<ByteBuf> later = new ArrayDeque<>(1);

  /** Whether a check was asked whose answer has not come. */
  private boolean waiting;

  private @Nullable ChannelPromise closing;

  PlainChecks(Room room) {
    this.room = room;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (waiting) {
      later.add(in);
    } else {
      proceed(context, in);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
    context.fireChannelReadComplete();
  }

  /** The library knows nothing of a check that waits here, and would close over its answer. */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (waiting) {
      closing = promise;
    } else {
      context.close(promise);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    later.forEach(ByteBuf::release);
    later.clear();
  }

  /** Answers the checks that were read, one after the other. */
  private void proceed(ChannelHandlerContext context, ByteBuf in) {
    while (in.isReadable()) {
      if (!isAsked(context, in)) {
        leave(context, in);
        return;
      }
      if (waiting) {
        context.channel().config().setAutoRead(false);
        later.addFirst(in);
        return;
      }
    }
    in.release();
  }

  /** Asks the check that the bytes begin with; false if they begin with anything else. */
  private boolean isAsked(ChannelHandlerContext context, ByteBuf in) {
    int count = in.readableBytes();
    PlainHead head = room.head;
    if (count > BYTES_MAX) {
      return false;
    }
    in.getBytes(in.readerIndex(), room.bytes, 0, count);
    if (!head.isPlain(room.bytes, 0, count)
        || head.length() > room.bodyBytesMax
        || head.end() + head.length() > count) {
      return false;
    }
    int end = head.end() + head.length();
    byte[] body = Arrays.copyOfRange(room.bytes, head.end(), end);
    Caller caller = room.caller();
    if (caller == null) {
      return false;
    }
    waiting = true;
    try {
      room.checks.check(body, caller, answer -> answered(context, answer));
    } catch (RuntimeException e) {
      /* Nothing was decided; the long way comes to the same and says what is wrong. */
      waiting = false;
      return false;
    }
    in.skipBytes(end);
    return true;
  }

  /** An answer has come, here and now, or on the thread that waited for the disk. */
  private void answered(ChannelHandlerContext context, Answer answer) {
    if (context.channel().eventLoop().inEventLoop()) {
      write(context, answer);
    } else {
      context.channel().eventLoop().execute(() -> goOn(context, answer));
    }
  }

  private void write(ChannelHandlerContext context, Answer answer) {
    waiting = false;
    Buffer json = JsonOutput.of(out -> AnswerJson.write(out, answer));
    ByteBuf content = ((BufferInternal) json).getByteBuf();
    ByteBuf out = context.alloc().directBuffer(HEAD.length + HEAD_REST + content.readableBytes());
    out.writeBytes(HEAD);
    writeNumber(out, content.readableBytes());
    out.writeBytes(new byte[] {'\r', '\n', '\r', '\n'});
    out.writeBytes(content);
    context.write(out, context.voidPromise());
  }

  private static void writeNumber(ByteBuf out, int number) {
    if (number >= 10) {
      writeNumber(out, number / 10);
    }
    out.writeByte('0' + number % 10);
  }

  private void goOn(ChannelHandlerContext context, Answer answer) {
    if (!context.channel().isActive()) {
      return;
    }
    write(context, answer);
    while (!waiting && !later.isEmpty() && closing == null) {
      proceed(context, later.remove());
    }
    context.flush();
    if (closing != null) {
      context.close(closing);
    } else if (!waiting) {
      context.channel().config().setAutoRead(true);
    }
  }

  /** Leaves the connection to the library, beginning with what it cannot answer itself. */
  private void leave(ChannelHandlerContext context, ByteBuf in) {
    context.flush();
    context.fireChannelRead(in);
    for (ByteBuf rest = later.poll(); rest != null; rest = later.poll()) {
      context.fireChannelRead(rest);
    }
    context.pipeline().remove(this);
  }
}
