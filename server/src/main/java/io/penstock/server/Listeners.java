package io.penstock.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Where one protocol is listened for: a port of TCP, and maybe a Unix socket. Thread-safe. */
public final class Listeners {
  private static final Logger LOG = System.getLogger(Listeners.class.getName());
  private static final int BACKLOG = 1_024;

  private final String protocol;
  private final Transport transport;
  private final List<Channel> ports = new CopyOnWriteArrayList<>();
  private volatile @Nullable SocketFile file;

  public Listeners(String protocol, Transport transport) {
    this.protocol = protocol;
    this.transport = transport;
  }

  /** Listens at a port; whoever comes goes through the door. */
  public void listen(ServerBootstrap bootstrap, InetSocketAddress address, ChannelHandler door)
      throws IOException {
    ChannelFuture bound =
        bootstrap
            .channel(transport.tcp())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(door)
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw ListenTrouble.of(protocol, address, bound.cause());
    }
    ports.add(bound.channel());
  }

  /** Listens at a Unix socket, if one is given. */
  public void listen(ServerBootstrap bootstrap, @Nullable Path socket, ChannelHandler door)
      throws IOException {
    if (socket != null) {
      SocketFile own = SocketFile.prepare(socket);
      file = own;
      ChannelFuture bound =
          bootstrap
              .channel(transport.unix())
              .childHandler(door)
              .bind(transport.address(own.bound()))
              .awaitUninterruptibly();
      if (!bound.isSuccess()) {
        throw ListenTrouble.of(socket, bound.cause());
      }
      ports.add(bound.channel());
      own.open();
    }
  }

  /** The port of TCP that is really used. */
  public int port() {
    return ((InetSocketAddress) ports.get(0).localAddress()).getPort();
  }

  /** Takes no new connections; those that are open go on. */
  public void stop() {
    for (Channel port : ports) {
      port.close().awaitUninterruptibly();
    }
    SocketFile own = file;
    if (own == null) {
      return;
    }
    try {
      own.remove();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "left behind: " + own, e);
    }
  }
}
