package io.penstock.server.grpc;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.penstock.server.Bounds;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Any service behind the bridge, reached over real connections. */
final class LiveBridge implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 1_000;

  private final LiveFront live;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final Bridge bridge;
  private final Reception reception;
  private final InetSocketAddress address;
  final ManagedChannel channel;

  LiveBridge(Path folder, BindableService service) throws IOException {
    live = LiveFront.open(folder);
    Callers callers = new Callers(Gatekeeper.open());
    bridge = Bridge.to(List.of(service), callers, loops);
    bridge.start();
    Bounds bounds = Bounds.defaults();
    EnvoyService envoy =
        new EnvoyService(live.node, live.metrics.decisions("test"), bounds, callers);
    reception = new Reception(new Services(envoy, callers, bridge, bounds), PATIENCE_MILLIS);
    Channel port =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(reception.door(/* tls= */ null))
            .bind(InetAddress.getLoopbackAddress(), 0)
            .awaitUninterruptibly()
            .channel();
    address = (InetSocketAddress) port.localAddress();
    channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
  }

  RawHttp2 raw() throws IOException {
    return new RawHttp2(address.getPort()).greet();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    reception.close();
    bridge.close();
    var unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    live.close();
  }
}
