package io.penstock.server.resp;

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
enum Transport {
  EPOLL(EpollServerSocketChannel.class, EpollServerDomainSocketChannel.class) {
    @Override
    IoHandlerFactory handlers() {
      return EpollIoHandler.newFactory();
    }

    @Override
    SocketAddress address(Path socket) {
      return new DomainSocketAddress(socket.toFile());
    }
  },
  NIO(NioServerSocketChannel.class, NioServerDomainSocketChannel.class) {
    @Override
    IoHandlerFactory handlers() {
      return NioIoHandler.newFactory();
    }

    @Override
    SocketAddress address(Path socket) {
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
  static Transport best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  Class<? extends ServerChannel> tcp() {
    return tcp;
  }

  Class<? extends ServerChannel> unix() {
    return unix;
  }

  abstract IoHandlerFactory handlers();

  abstract SocketAddress address(Path socket);
}
