package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.penstock.server.security.Gatekeeper;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Receives new connections, or turns them away if there are too many. Thread-safe. */
final class Reception {
  private static final byte[] TOO_MANY =
      "-ERR max number of clients reached\r\n".getBytes(US_ASCII);

  private final Commands commands;
  private final Gatekeeper gatekeeper;
  private final RespOptions options;
  private final RespStats stats;
  private final AtomicLong ids = new AtomicLong();
  private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

  Reception(Commands commands, Gatekeeper gatekeeper, RespOptions options, RespStats stats) {
    this.commands = commands;
    this.gatekeeper = gatekeeper;
    this.options = options;
    this.stats = stats;
  }

  /** What is done with each new connection of a port. */
  ChannelInitializer<Channel> door(@Nullable Supplier<SslContext> tls) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        receive(channel, tls);
      }
    };
  }

  private void receive(Channel channel, @Nullable Supplier<SslContext> tls) {
    if (!stats.enter(options.bounds().connections())) {
      channel
          .writeAndFlush(Unpooled.wrappedBuffer(TOO_MANY))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    channel.closeFuture().addListener(closed -> stats.exit());
    open.add(channel);
    if (tls != null) {
      channel.pipeline().addLast(tls.get().newHandler(channel.alloc()));
    }
    channel
        .pipeline()
        .addLast(new Connection(channel, commands, gatekeeper, options, ids.incrementAndGet()));
  }

  /** Lets everybody finish what they have asked, for so long; then closes. */
  void close(long patienceMillis) {
    for (Channel channel : open) {
      Connection connection = channel.pipeline().get(Connection.class);
      if (connection != null) {
        connection.leave();
      }
    }
    boolean done =
        open.newCloseFuture().awaitUninterruptibly(patienceMillis, TimeUnit.MILLISECONDS);
    if (!done) {
      open.close().awaitUninterruptibly(patienceMillis, TimeUnit.MILLISECONDS);
    }
  }
}
