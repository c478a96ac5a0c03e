package io.penstock.server.resp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.penstock.server.Listeners;
import io.penstock.server.Transport;
import io.penstock.server.node.Node;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The server of the Redis protocol, on TCP and on a Unix socket. Thread-safe. */
public final class RespServer implements AutoCloseable {
  private static final long DRAIN_MILLIS = 5_000;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(64 << 10, 256 << 10);

  private final RespOptions options;
  private final EventLoopGroup loops;
  private final Reception reception;
  private final Listeners listeners;

  private RespServer(RespOptions options, Reception reception) {
    this.options = options;
    Transport transport = Transport.best();
    this.listeners = new Listeners("resp", transport);
    this.loops =
        new MultiThreadIoEventLoopGroup(
            options.threads(), new DefaultThreadFactory("resp"), transport.handlers());
    this.reception = reception;
  }

  /** Starts to serve; refuses if an address cannot be taken. */
  public static RespServer start(
      RespOptions options, Node node, Gatekeeper gatekeeper, RespStats stats) throws IOException {
    Commands commands = new Commands(node, options.bounds(), stats);
    RespServer server =
        new RespServer(options, new Reception(commands, gatekeeper, options, stats));
    try {
      server.listen();
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void listen() throws IOException {
    listeners.listen(bootstrap(), options.address(), reception.door(options.tls()));
    listeners.listen(bootstrap(), options.socket(), reception.door(/* tls= */ null));
  }

  private ServerBootstrap bootstrap() {
    return new ServerBootstrap()
        .group(loops)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
  }

  /** The TCP port that is really used. */
  public int port() {
    return listeners.port();
  }

  /** Takes no new connections; those that are open go on. */
  public void stopAccepting() {
    listeners.stop();
  }

  /** Stops: answers what was asked, then closes every connection. */
  @Override
  public void close() {
    stopAccepting();
    reception.close(DRAIN_MILLIS);
    loops.shutdownGracefully(0, DRAIN_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }
}
