package io.penstock.server.grpc;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** How sockets are served on this machine: by epoll on Linux, by the JDK elsewhere. Stateless. */
enum Transport {
  EPOLL,
  NIO;

  static Transport here() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  EventLoopGroup eventLoops(int threads) {
    IoHandlerFactory io = this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(threads, io);
  }

  ServerChannel tcp() {
    return this == EPOLL ? new EpollServerSocketChannel() : new NioServerSocketChannel();
  }

  ServerChannel unix() {
    return this == EPOLL
        ? new EpollServerDomainSocketChannel()
        : new NioServerDomainSocketChannel();
  }

  SocketAddress unixAddress(Path path) {
    return this == EPOLL
        ? new DomainSocketAddress(path.toFile())
        : UnixDomainSocketAddress.of(path);
  }
}
