package io.penstock.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.penstock.server.node.Answer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The short way of checks: answers them from the bytes of a connection, before the library decodes
 * anything. Confined to the event loop of its connection.
 *
 * <p>It answers plain checks, and tells why one was not decided; the beginning of one waits here
 * for its rest. A request that is something else, one that cannot be read included, it leaves to
 * the library, which reads it again from its beginning; so everything but this has one way only.
 * The library gives back what follows, and when it has answered, that comes here again.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class PlainChecks extends ChannelDuplexHandler {
  private final PlainDesk desk;
  private final HalfRequest half;
  private final Farewell farewell;
  private final Turns turns;

  /** What was read and is not yet asked. */
  private final Deque<ByteBuf> later = new ArrayDeque<>(2);

  private boolean paused;

  /** Whether the library has a request. */
  private boolean away;

  /** Whether the library has got bytes, and does not know that these were all for now. */
  private boolean passed;

  private @Nullable ChannelPromise closing;

  /** The event that says that nothing more comes, until what has come is asked and answered. */
  private @Nullable Object end;

  private @Nullable ChannelHandlerContext own;

  PlainChecks(PlainDesk desk, HalfRequest half, Farewell farewell, EventLoop loop) {
    this.desk = desk;
    this.half = half;
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
    later.addLast((ByteBuf) message);
    if (paused) {
      // The library may have ended the pause.
      context.channel().config().setAutoRead(false);
    } else if (closing == null) {
      proceed(context);
    }
  }

  /** The library has read as far as this. */
  void takeBack(ByteBuf rest) {
    later.addFirst(rest);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    passed = false;
    context.flush();
    context.fireChannelReadComplete();
  }

  /** The library sends an answer; what waits for it does not go on inside of that. */
  @Override
  public void flush(ChannelHandlerContext context) {
    context.flush();
    if (away && !later.isEmpty() && farewell.isQuiet()) {
      context.executor().execute(this::goOn);
    }
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
      goOn();
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

  /** What must come before there is more to do. */
  private enum Wait {
    NOTHING,
    REST,
    ANSWERS
  }

  /** Asks what was read, in order, until something must wait. */
  private void proceed(ChannelHandlerContext context) {
    Wait wait = Wait.NOTHING;
    while (!later.isEmpty() && wait == Wait.NOTHING) {
      wait = away ? stayAway(context) : take(context);
    }
    pause(context, wait == Wait.ANSWERS);
  }

  /** The library gets the rest of its request, or all that comes if that is its last. */
  private Wait stayAway(ChannelHandlerContext context) {
    if (half.isInside() || farewell.isLast()) {
      pass(context);
      return Wait.NOTHING;
    }
    away = !farewell.isQuiet();
    return away ? Wait.ANSWERS : Wait.NOTHING;
  }

  private Wait take(ChannelHandlerContext context) {
    if (turns.size() >= desk.turnsMax() || !context.channel().isWritable()) {
      return Wait.ANSWERS;
    }
    ByteBuf in = later.getFirst();
    PlainDesk.Found found = desk.ask(in, turns);
    if (found == PlainDesk.Found.CHECK) {
      half.end();
      write(context);
      if (!in.isReadable()) {
        later.removeFirst().release();
      }
    } else if (found == PlainDesk.Found.BEGINNING && later.size() > 1) {
      join(context);
    } else if (found == PlainDesk.Found.BEGINNING && end == null) {
      half.begin();
      return Wait.REST;
    } else if (turns.isEmpty()) {
      away = true;
      pass(context);
    } else {
      return Wait.ANSWERS;
    }
    return Wait.NOTHING;
  }

  /** Writes the answers whose turn it is. */
  private void write(ChannelHandlerContext context) {
    for (Turns.Turn turn = turns.next(); turn != null; turn = turns.next()) {
      Answer answer = turn.answer();
      Refusal refusal = turn.refusal();
      if (answer != null) {
        context.write(desk.reply(answer, context.alloc()), context.voidPromise());
      } else if (refusal != null) {
        context.write(desk.reply(refusal, context.alloc()), context.voidPromise());
      }
    }
  }

  /** Answers have come, or can be sent again, or nothing more will be read. */
  private void goOn() {
    ChannelHandlerContext context = own;
    if (context == null || !context.channel().isActive()) {
      return;
    }
    write(context);
    if (closing == null) {
      proceed(context);
    }
    if (passed) {
      passed = false;
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

  /** Lets the library read what was read first. */
  private void pass(ChannelHandlerContext context) {
    // First: the library may want a pause of its own.
    pause(context, false);
    passed = true;
    context.fireChannelRead(later.removeFirst());
  }

  /** Makes the bytes that were read first one with those behind them. */
  private void join(ChannelHandlerContext context) {
    ByteBuf first = later.removeFirst();
    ByteBuf second = later.removeFirst();
    ByteBuf both = context.alloc().buffer(first.readableBytes() + second.readableBytes());
    later.addFirst(both.writeBytes(first).writeBytes(second));
    first.release();
    second.release();
  }
}
