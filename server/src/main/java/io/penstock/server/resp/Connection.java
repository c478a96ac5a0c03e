package io.penstock.server.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.penstock.server.Bounds;
import io.penstock.server.security.Gatekeeper;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection: what is read becomes commands, and all answers of a read leave in one write.
 * Confined to its event loop, except {@link #leave}.
 *
 * <p>Nothing more is read while the client does not take its answers, or while too many of them
 * wait for the disk.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class Connection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = System.getLogger(Connection.class.getName());

  private static final int WRITE_BYTES = 128 << 10;
  private static final int IDLE_TICKS = 4;

  /**
   * A command must be whole within this time, however slowly its bytes come, one that is passed
   * over too. Ticks count it: one that takes longer is noticed up to a tick later.
   */
  private static final long HALF_SENT_MILLIS_MAX = 10_000;

  private static final long LINGER_MILLIS = 1_000;

  private final Channel channel;
  private final Commands commands;
  private final Duration idle;
  private final Duration unknown;
  private final Loop loop = Loop.current();
  private final Decoder decoder;
  private final Replies replies;
  private final Session session;

  private @Nullable Future<?> idleCheck;
  private final long tickMillis;
  private int quietTicks;
  private int halfTicks;
  private int unknownTicks;

  /** Whether commands may be left that were read and not run. */
  private boolean stopped;

  private boolean busy;
  private boolean listening = true;
  private boolean inputEnded;
  private boolean hungUp;
  private boolean lingering;

  /** Takes over a channel; called on its event loop. */
  Connection(
      Channel channel, Commands commands, Gatekeeper gatekeeper, RespOptions options, long id) {
    Bounds bounds = options.bounds();
    this.channel = channel;
    this.commands = commands;
    this.idle = options.idle();
    this.unknown = Duration.ofSeconds(bounds.idleSeconds());
    long shortest = Math.min(idle.toMillis(), Math.min(unknown.toMillis(), HALF_SENT_MILLIS_MAX));
    this.tickMillis = Math.max(1, shortest / IDLE_TICKS);
    this.decoder = new Decoder(commands.bounds(/* loggedIn= */ false));
    this.replies = new Replies(channel.eventLoop(), loop.output(), bounds.pipelined(), this::drain);
    this.session = new Session(id, gatekeeper, replies, loop.limits());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    idleCheck =
        channel
            .eventLoop()
            .scheduleAtFixedRate(this::tick, tickMillis, tickMillis, TimeUnit.MILLISECONDS);
    context.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (idleCheck != null) {
      idleCheck.cancel(/* mayInterruptIfRunning= */ false);
    }
    context.fireChannelInactive();
  }

  /** Counting ticks costs nothing per command, unlike a look at the clock. */
  private void tick() {
    boolean isOurTurn = stopped || !replies.isEmpty();
    // Who takes no answers is silent too, however much they have asked.
    quietTicks = isOurTurn && channel.isWritable() ? 0 : quietTicks + 1;
    halfTicks = isOurTurn || !decoder.isWithinCommand() ? 0 : halfTicks + 1;
    unknownTicks = session.isLoggedIn() ? 0 : unknownTicks + 1;
    if (quietTicks * tickMillis > idle.toMillis()
        || unknownTicks * tickMillis > unknown.toMillis()
        || halfTicks * tickMillis > HALF_SENT_MILLIS_MAX) {
      channel.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    busy = true;
    try {
      while (in.isReadable() && !session.isLeaving()) {
        decoder.feed(in, loop.input());
        work();
      }
      if (isHeldUp() && !session.isLeaving()) {
        // Netty would read a megabyte more before it asks, and all of it would be kept.
        listen(false);
      }
    } finally {
      busy = false;
      in.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    proceed();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!busy) {
      proceed();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      inputEnded = true;
      proceed();
      if (lingering) {
        channel.close();
      }
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.log(Level.DEBUG, "a connection broke", cause);
    channel.close();
  }

  /** Ends the connection once everything that was asked is answered. Thread-safe. */
  void leave() {
    channel
        .eventLoop()
        .execute(
            () -> {
              session.leave();
              proceed();
            });
  }

  /** Runs the commands that were read, as far as their answers have room. */
  private void work() {
    loop.begin();
    stopped = true;
    session.refresh();
    while (stopped && !session.isLeaving() && hasRoom()) {
      workOnSome();
    }
    decoder.keep();
    write();
  }

  /**
   * Takes some commands together: their keys are looked for at the same time. Who has to log in
   * gets one at a time, since more is taken from them once they have.
   */
  private void workOnSome() {
    Request[] requests = loop.requests();
    boolean loggedIn = session.isLoggedIn();
    int most = loggedIn ? requests.length : 1;
    decoder.bound(commands.bounds(loggedIn));
    int count = 0;
    long nowNanos = commands.nanos();
    Decoder.Found found = decoder.next();
    while (found == Decoder.Found.COMMAND) {
      requests[count] = decoder.take(requests[count]);
      commands.foresee(requests[count++], nowNanos);
      if (count == most) {
        break;
      }
      found = decoder.next();
    }
    loop.touched += commands.touch(requests, count);
    for (int i = 0; i < count && !session.isLeaving(); i++) {
      commands.run(session, requests[i]);
    }
    if (count > 0) {
      quietTicks = 0;
      halfTicks = 0;
    }
    if (found == Decoder.Found.NOTHING) {
      stopped = false;
    } else if (found != Decoder.Found.COMMAND && !session.isLeaving()) {
      refuse(found);
    }
  }

  private boolean hasRoom() {
    if (loop.output().length() > WRITE_BYTES) {
      write();
      channel.flush();
    }
    return !isHeldUp();
  }

  private boolean isHeldUp() {
    return !channel.isWritable() || replies.isFull();
  }

  private void refuse(Decoder.Found found) {
    commands.refuse(decoder.problem(), replies.out());
    halfTicks = 0;
    if (found == Decoder.Found.BROKEN) {
      session.leave();
    }
  }

  private void write() {
    Output output = loop.output();
    int length = output.length();
    if (length > 0) {
      ByteBuf bytes = channel.alloc().directBuffer(length);
      bytes.writeBytes(output.bytes(), 0, length);
      output.clear(2 * WRITE_BYTES);
      channel.write(bytes, channel.voidPromise());
    }
  }

  /** Writes what the disk has let go. */
  private void drain() {
    loop.begin();
    replies.drain();
    write();
    proceed();
  }

  /** Sends what is written, goes on with what was left, and decides whether to read more. */
  private void proceed() {
    busy = true;
    channel.flush();
    while (stopped && !session.isLeaving() && !isHeldUp()) {
      work();
      channel.flush();
    }
    busy = false;
    if (inputEnded && !stopped) {
      session.leave();
    }
    if (!session.isLeaving()) {
      listen(!isHeldUp());
    } else if (replies.isEmpty() && !hungUp) {
      hungUp = true;
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> hangUp());
    }
  }

  private void listen(boolean on) {
    if (listening != on) {
      listening = on;
      channel.config().setAutoRead(on);
    }
  }

  /**
   * Closes. What the client still sends is read and dropped for a moment: closing over it would
   * reset the connection, and the client might lose the last answers.
   */
  private void hangUp() {
    boolean plain = channel.pipeline().get(SslHandler.class) == null;
    if (plain && !inputEnded && channel instanceof DuplexChannel duplex) {
      lingering = true;
      duplex.shutdownOutput();
      listen(true);
      channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      channel.close();
    }
  }
}
