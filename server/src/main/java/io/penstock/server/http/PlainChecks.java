package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.penstock.server.node.Answer;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Gatekeeper;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The short way of checks: answers them from the bytes of a connection, before the library decodes
 * anything. Confined to the event loop of its connection.
 *
 * <p>It answers whole, plain checks that are allowed or denied. What was read from the first bytes
 * on that are something else, an error included, it leaves to the library, which reads them again
 * from their beginning; so everything but this has one way only. When the library has answered all
 * it has got, checks come here again.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class PlainChecks extends ChannelDuplexHandler {
  /** A larger one goes the long way. */
  private static final int BYTES_MAX = 1 << 14;

  private static final byte[] HEAD =
      ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
              + "x-content-type-options: nosniff\r\ncontent-length: ")
          .getBytes(US_ASCII);

  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
  private static final String PROBLEM_HEAD =
      "\r\ncontent-type: application/problem+json\r\n"
          + "x-content-type-options: nosniff\r\ncontent-length: ";

  private static final int HEAD_REST = 16;

  /** What the connections of an event loop share. Confined to it. */
  static final class Room {
    private final CheckRoutes checks;
    private final Gatekeeper gatekeeper;
    private final PlainHead head;
    private final PlainBody body;
    private final int bodyBytesMax;
    private final int turnsMax;
    private final byte[] bytes = new byte[BYTES_MAX];
    private final JsonBytes json = new JsonBytes();

    Room(CheckRoutes checks, Gatekeeper gatekeeper, HttpSettings settings) {
      this.checks = checks;
      this.gatekeeper = gatekeeper;
      this.head = new PlainHead(settings.bounds().headBytes());
      this.body = new PlainBody(settings.bounds());
      this.bodyBytesMax = settings.bounds().bodyBytes();
      this.turnsMax = settings.bounds().pipelined();
    }

    private @Nullable Caller caller() {
      return gatekeeper.isOpen()
          ? gatekeeper.anonymous()
          : gatekeeper.byHeader(head.authorization(), head.apiKey());
    }
  }

  private final Room room;
  private final RequestDecoder decoder;
  private final Farewell farewell;
  private final Turns turns;

  /** What was read and is not yet asked. */
  private final Deque<ByteBuf> later = new ArrayDeque<>(2);

  private boolean paused;

  /** Whether the library has what was read last. */
  private boolean away;

  private @Nullable ChannelPromise closing;

  /** The event that says that nothing more comes, until what has come is asked and answered. */
  private @Nullable Object end;

  private @Nullable ChannelHandlerContext own;

  PlainChecks(Room room, RequestDecoder decoder, Farewell farewell, EventLoop loop) {
    this.room = room;
    this.decoder = decoder;
    this.farewell = farewell;
    this.turns = new Turns(loop, this::goOn);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    own = context;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    later.forEach(ByteBuf::release);
    later.clear();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    away = away && (decoder.isInside() || !farewell.isQuiet());
    if (away) {
      context.fireChannelRead(message);
      return;
    }
    later.addLast((ByteBuf) message);
    if (!paused && closing == null) {
      proceed(context);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
    context.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (paused && context.channel().isWritable()) {
      context.executor().execute(this::goOn);
    }
    context.fireChannelWritabilityChanged();
  }

  /** The library knows nothing of what waits here, and would not answer it any more. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (Farewell.isEnd(event) && !isDone()) {
      end = event;
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  /** The library knows nothing of a check that waits here, and would close over its answer. */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (turns.isEmpty()) {
      context.close(promise);
    } else {
      closing = promise;
    }
  }

  private boolean isDone() {
    return turns.isEmpty() && later.isEmpty();
  }

  /** Asks what was read, in order, until something must wait for the answers before it. */
  private void proceed(ChannelHandlerContext context) {
    while (!later.isEmpty() && !away) {
      ByteBuf in = later.getFirst();
      boolean mayAsk = turns.size() < room.turnsMax && context.channel().isWritable();
      if (mayAsk && isAsked(in)) {
        write(context);
        if (!in.isReadable()) {
          later.removeFirst().release();
        }
      } else if (mayAsk && turns.isEmpty()) {
        leave(context);
      } else {
        pause(context, true);
        return;
      }
    }
    pause(context, false);
  }

  /** Asks the check that the bytes begin with; false if they begin with anything else. */
  private boolean isAsked(ByteBuf in) {
    int count = Math.min(in.readableBytes(), BYTES_MAX);
    PlainHead head = room.head;
    in.getBytes(in.readerIndex(), room.bytes, 0, count);
    if (!head.isPlain(room.bytes, 0, count)
        || head.length() > room.bodyBytesMax
        || head.end() + head.length() > count) {
      return false;
    }
    int end = head.end() + head.length();
    Caller caller = room.caller();
    Question question = caller == null ? null : room.body.read(room.bytes, head.end(), end);
    if (caller == null || question == null) {
      return false;
    }
    try {
      room.checks.check(question, caller, turns.ask());
      turns.asked();
    } catch (RuntimeException e) {
      /* Nothing was decided; the long way comes to the same and says what is wrong. */
      turns.takeBack();
      return false;
    }
    in.skipBytes(end);
    return true;
  }

  /** Writes the answers whose turn it is. */
  private void write(ChannelHandlerContext context) {
    for (Turns.Turn turn = turns.next(); turn != null; turn = turns.next()) {
      Answer answer = turn.answer();
      Refusal refusal = turn.refusal();
      if (answer != null) {
        write(context, answer);
      } else if (refusal != null) {
        write(context, refusal);
      }
    }
  }

  private void write(ChannelHandlerContext context, Answer answer) {
    JsonBytes json = room.json;
    json.clear();
    AnswerJson.write(json, answer);
    write(context, HEAD, json);
  }

  private void write(ChannelHandlerContext context, Refusal refusal) {
    JsonBytes json = room.json;
    json.clear();
    json.raw(ProblemJson.of(refusal).getBytes());
    String status = HttpResponseStatus.valueOf(refusal.status()).toString();
    write(context, ("HTTP/1.1 " + status + PROBLEM_HEAD).getBytes(US_ASCII), json);
  }

  private static void write(ChannelHandlerContext context, byte[] head, JsonBytes json) {
    ByteBuf out = context.alloc().directBuffer(head.length + HEAD_REST + json.length());
    out.writeBytes(head);
    writeNumber(out, json.length());
    out.writeBytes(HEAD_END);
    out.writeBytes(json.bytes(), 0, json.length());
    context.write(out, context.voidPromise());
  }

  private static void writeNumber(ByteBuf out, int number) {
    if (number >= 10) {
      writeNumber(out, number / 10);
    }
    out.writeByte('0' + number % 10);
  }

  /** Answers have come, or can be sent again. */
  private void goOn() {
    ChannelHandlerContext context = own;
    if (context == null || !context.channel().isActive()) {
      return;
    }
    write(context);
    if (closing == null) {
      proceed(context);
    }
    if (away) {
      // The library sends its answers when it knows that this was all that came.
      context.fireChannelReadComplete();
    }
    context.flush();
    if (closing != null && turns.isEmpty()) {
      context.close(closing);
    } else if (end != null && isDone()) {
      context.fireUserEventTriggered(end);
      end = null;
    }
  }

  private void pause(ChannelHandlerContext context, boolean on) {
    if (paused != on) {
      paused = on;
      context.channel().config().setAutoRead(!on);
    }
  }

  /** Leaves what was read to the library, beginning with what cannot be answered here. */
  private void leave(ChannelHandlerContext context) {
    away = true;
    // First: the library may want a pause of its own.
    pause(context, false);
    for (ByteBuf rest = later.pollFirst(); rest != null; rest = later.pollFirst()) {
      context.fireChannelRead(rest);
    }
  }
}
