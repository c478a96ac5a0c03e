package io.penstock.server;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** How bytes get in and out: by Linux' own calls where they are to be had, else by Java's. */
public enum Transport {
  EPOLL(EpollServerSocketChannel.class, EpollServerDomainSocketChannel.class) {
    @Override
    public IoHandlerFactory handlers() {
      return EpollIoHandler.newFactory();
    }

    @Override
    public SocketAddress address(Path socket) {
      return new DomainSocketAddress(socket.toFile());
    }
  },
  NIO(NioServerSocketChannel.class, NioServerDomainSocketChannel.class) {
    @Override
    public IoHandlerFactory handlers() {
      return NioIoHandler.newFactory();
    }

    @Override
    public SocketAddress address(Path socket) {
      return UnixDomainSocketAddress.of(socket);
    }
  };

  private final Class<? extends ServerChannel> tcp;
  private final Class<? extends ServerChannel> unix;

  Transport(Class<? extends ServerChannel> tcp, Class<? extends ServerChannel> unix) {
    this.tcp = tcp;
    this.unix = unix;
  }

  /** The best there is on this machine. */
  public static Transport best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  public Class<? extends ServerChannel> tcp() {
    return tcp;
  }

  public Class<? extends ServerChannel> unix() {
    return unix;
  }

  public abstract IoHandlerFactory handlers();

  public abstract SocketAddress address(Path socket);
}
