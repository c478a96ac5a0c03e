package io.penstock.server.resp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.penstock.server.SocketFile;
import io.penstock.server.Transport;
import io.penstock.server.node.Node;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The server of the Redis protocol, on TCP and on a Unix socket. Thread-safe. */
public final class RespServer implements AutoCloseable {
  private static final int BACKLOG = 1_024;
  private static final long DRAIN_MILLIS = 5_000;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(64 << 10, 256 << 10);

  private final RespOptions options;
  private final Transport transport;
  private final EventLoopGroup loops;
  private final Reception reception;
  private final List<Channel> ports = new ArrayList<>();

  private RespServer(RespOptions options, Reception reception) {
    this.options = options;
    this.transport = Transport.best();
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
      server.listenOnTcp();
      Path socket = options.socket();
      if (socket != null) {
        server.listenOnSocket(socket);
      }
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void listenOnTcp() throws IOException {
    bind(
        bootstrap()
            .channel(transport.tcp())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(reception.door(options.tls())),
        options.address());
  }

  private void listenOnSocket(Path socket) throws IOException {
    SocketFile.free(socket);
    bind(
        bootstrap().channel(transport.unix()).childHandler(reception.door(/* tls= */ null)),
        transport.address(socket));
  }

  private ServerBootstrap bootstrap() {
    return new ServerBootstrap()
        .group(loops)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
  }

  private void bind(ServerBootstrap bootstrap, SocketAddress address) throws IOException {
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "resp address: " + address + " (expected: one that is free)", bound.cause());
    }
    ports.add(bound.channel());
  }

  /** The TCP port that is really used. */
  public int port() {
    return ((InetSocketAddress) ports.get(0).localAddress()).getPort();
  }

  /** Takes no new connections; those that are open go on. */
  public void stopAccepting() {
    for (Channel port : ports) {
      port.close().awaitUninterruptibly();
    }
  }

  /** Stops: answers what was asked, then closes every connection. */
  @Override
  public void close() {
    stopAccepting();
    reception.close(DRAIN_MILLIS);
    loops.shutdownGracefully(0, DRAIN_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }
}
