package io.penstock.server.grpc;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection that wastes what it holds: one that does not greet, calls nothing, says
 * nothing, takes no answers, or sends frames that ask for nothing. Confined to its event loop.
 *
 * <p>Counting ticks costs nothing per frame, unlike a look at the clock.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A channel tells of failures by closing.
final class Patience {
  private static final long TICK_MILLIS_MAX = 5_000;
  private static final long GREETING_MILLIS = 10_000;

  /** A client that says nothing for so long is asked whether it lives. */
  private static final long PING_MILLIS = 60_000;

  private static final long PONG_MILLIS = 20_000;
  private static final long PING = 1;

  /** Clients measure their line with pings, so there may be many; but not without any call. */
  private static final int BOTHERS_MAX = 10_000;

  private final Connection connection;
  private final ChannelHandlerContext context;
  private final Http2Connection streams;
  private final long tickMillis;
  private final long idleTicks;

  private boolean greeted;
  private long age;
  private long quiet;
  private long idle;
  private long stuck;
  private int bothers;

  Patience(Connection connection, int idleSeconds) {
    this.connection = connection;
    this.context = connection.context();
    this.streams = connection.handler().connection();
    long idleMillis = TimeUnit.SECONDS.toMillis(idleSeconds);
    this.tickMillis = Math.max(1, Math.min(TICK_MILLIS_MAX, idleMillis / 4));
    this.idleTicks = idleMillis / tickMillis;
    Future<?> ticks =
        context
            .executor()
            .scheduleAtFixedRate(this::tick, tickMillis, tickMillis, TimeUnit.MILLISECONDS);
    context.channel().closeFuture().addListener(closed -> ticks.cancel(false));
  }

  /** The client has said that it speaks HTTP/2. */
  void greeted() {
    greeted = true;
    stuck = 0;
  }

  /** A call began. */
  void called() {
    quiet = 0;
    idle = 0;
    bothers = 0;
  }

  /** The client has said something. */
  void heard() {
    quiet = 0;
  }

  /** The client has made room for answers. */
  void relieved() {
    quiet = 0;
    stuck = 0;
  }

  /** The client has sent a frame that is work without being a call. */
  void bothered() throws Http2Exception {
    quiet = 0;
    if (++bothers > BOTHERS_MAX) {
      String expected = " without a call (expected: <= " + BOTHERS_MAX + ")";
      throw Http2Exception.connectionError(
          Http2Error.ENHANCE_YOUR_CALM, "frames: %s", bothers + expected);
    }
  }

  private void tick() {
    age++;
    quiet++;
    bothers = 0;
    idle = streams.numActiveStreams() == 0 ? idle + 1 : 0;
    stuck = isStuck() ? stuck + 1 : 0;
    boolean isRude = !greeted && (age * tickMillis >= GREETING_MILLIS || age > idleTicks);
    if (isRude || quiet * tickMillis >= PING_MILLIS + PONG_MILLIS || stuck > idleTicks) {
      context.close();
    } else if (idle > idleTicks) {
      connection.leave();
    } else if (quiet * tickMillis >= PING_MILLIS && (quiet - 1) * tickMillis < PING_MILLIS) {
      connection
          .handler()
          .encoder()
          .writePing(context, /* ack= */ false, PING, context.newPromise());
      connection.handler().flush(context);
    }
  }

  /** Whether answers wait for a client that takes none. */
  private boolean isStuck() {
    Http2RemoteFlowController out = streams.remote().flowController();
    try {
      return streams.forEachActiveStream(stream -> !out.hasFlowControlled(stream)) != null;
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
