package io.penstock.server.grpc;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.MetadataUtils;
import io.penstock.server.Bounds;
import io.penstock.server.cluster.Alone;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Metrics;
import io.penstock.server.policy.Expected;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.security.Gatekeeper;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A started gRPC server on a real node, whose clock stands still until it is moved. */
final class LiveFront implements AutoCloseable {
  final ManualClock clock = new ManualClock();
  final Node node;
  final Metrics metrics;
  final PolicyStore store;
  private final Shard shard;
  final GrpcFront front;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private @Nullable EventLoopGroup unixLoops;

  /** What stands before the node, and whether there are spans. */
  private record Inside(UnaryOperator<Node> before, boolean traced) {}

  private LiveFront(Path folder, GrpcOptions options, Bounds bounds, Gatekeeper gatekeeper)
      throws IOException {
    this(folder, options, bounds, gatekeeper, new Inside(UnaryOperator.identity(), false));
  }

  private LiveFront(
      Path folder, GrpcOptions options, Bounds bounds, Gatekeeper gatekeeper, Inside inside)
      throws IOException {
    this.metrics = new Metrics(clock::nanos, inside.traced);
    this.shard = Shard.open(ShardOptions.of(folder.resolve("shard"), clock, 1 << 26));
    this.node = inside.before.apply(new LocalNode("n1", shard, new Node.Secret(1, 2)));
    this.store = PolicyStore.open(folder.resolve("policies.db"), () -> Instant.EPOCH);
    store.planBy(node.policies()::counters);
    store.onChange(node.policies()::apply);
    GrpcBackends backends =
        new GrpcBackends(node, store, new Alone("n1", node.policies().heat()), gatekeeper, metrics);
    this.front = new GrpcFront(options, bounds, backends);
    try {
      front.start();
    } catch (IOException e) {
      store.close();
      shard.close();
      throw e;
    }
  }

  static LiveFront open(Path folder) throws IOException {
    return new LiveFront(folder, options(null, null), Bounds.defaults(), Gatekeeper.open());
  }

  /** One whose node is another that stands before its own. */
  static LiveFront behind(Path folder, UnaryOperator<Node> before) throws IOException {
    return new LiveFront(
        folder,
        options(null, null),
        Bounds.defaults(),
        Gatekeeper.open(),
        new Inside(before, /* traced= */ false));
  }

  /** One that tells the agent of this process a span for whatever is asked. */
  static LiveFront traced(Path folder) throws IOException {
    return new LiveFront(
        folder,
        options(null, null),
        Bounds.defaults(),
        Gatekeeper.open(),
        new Inside(UnaryOperator.identity(), /* traced= */ true));
  }

  static LiveFront bounded(Path folder, Bounds bounds) throws IOException {
    return new LiveFront(folder, options(null, null), bounds, Gatekeeper.open());
  }

  static LiveFront guarded(Path folder, Gatekeeper gatekeeper) throws IOException {
    return new LiveFront(folder, options(null, null), Bounds.defaults(), gatekeeper);
  }

  static LiveFront at(
      Path folder, @Nullable Path socket, io.netty.handler.ssl.@Nullable SslContext tls)
      throws IOException {
    return new LiveFront(folder, options(socket, tls), Bounds.defaults(), Gatekeeper.open());
  }

  private static GrpcOptions options(
      @Nullable Path socket, io.netty.handler.ssl.@Nullable SslContext tls) {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new GrpcOptions(any, socket, tls, /* eventLoops= */ 2);
  }

  /** Puts a policy in force, whatever was there. */
  void put(String scope, String document) {
    boolean isNew = store.get(Kind.POLICY, scope) == null;
    Expected expected = isNew ? new Expected.Absent() : new Expected.Any();
    store.put(Kind.POLICY, scope, document, expected, "test");
  }

  ManagedChannel channel() {
    return add(
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), front.port()))
            .usePlaintext());
  }

  Channel channel(String header, String value) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
    return io.grpc.ClientInterceptors.intercept(
        channel(), MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  ManagedChannel secure(SslContext tls) {
    return add(
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), front.port()))
            .overrideAuthority("localhost")
            .sslContext(tls));
  }

  ManagedChannel unix(Path socket) {
    unixLoops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    return add(
        NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
            .eventLoopGroup(unixLoops)
            .channelType(EpollDomainSocketChannel.class)
            .usePlaintext());
  }

  private ManagedChannel add(NettyChannelBuilder builder) {
    ManagedChannel channel = builder.build();
    channels.add(channel);
    return channel;
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    front.close();
    store.close();
    shard.close();
    if (unixLoops != null) {
      var unused = unixLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }
}
