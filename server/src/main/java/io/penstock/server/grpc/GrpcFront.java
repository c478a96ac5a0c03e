package io.penstock.server.grpc;

import io.grpc.BindableService;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.penstock.server.Bounds;
import io.penstock.server.Listeners;
import io.penstock.server.Transport;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Decisions;
import io.penstock.server.ops.Metrics;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The gRPC server: own API, Envoy's rate limit service, health and reflection, over TCP and a Unix
 * domain socket. Thread-safe.
 *
 * <p>Calls run on the event loops: nothing in them blocks, and what waits for the disk is answered
 * from there.
 */
public final class GrpcFront implements AutoCloseable {
  private static final int CLOSE_SECONDS = 5;

  private final GrpcOptions options;
  private final HealthService health = new HealthService();
  private final ConnectionBound bound;
  private final Transport transport = Transport.best();
  private final EventLoopGroup eventLoops;
  private final ThreadPoolExecutor workers = Workers.start();
  private final Bridge bridge;
  private final Reception reception;
  private final Listeners listeners = new Listeners("grpc", transport);
  private boolean stopping;

  public GrpcFront(GrpcOptions options, Bounds bounds, GrpcBackends backends) {
    this.options = options;
    Callers callers = new Callers(backends.gatekeeper());
    Node node = backends.node();
    Metrics metrics = backends.metrics();
    PolicyCalls policies = new PolicyCalls(backends.policies(), node, callers, workers);
    Origins origins = new Origins();
    CheckQuestion question = new CheckQuestion(bounds, callers, origins);
    ShardCalls shards = new ShardCalls(backends.topology(), node.policies(), question);
    EnvoyService envoy = new EnvoyService(node, metrics.decisions("rls"), bounds, callers);
    Decisions decisions = metrics.decisions("grpc");
    BindableService own = new PenstockService(node, decisions, question, policies, shards);
    List<BindableService> services =
        List.of(
            envoy,
            decisions.areTraced() ? origins.of(own) : own,
            health,
            ProtoReflectionServiceV1.newInstance(),
            oldReflection());
    this.bound = new ConnectionBound(bounds.connections());
    this.eventLoops =
        new MultiThreadIoEventLoopGroup(
            options.eventLoops(), new DefaultThreadFactory("grpc"), transport.handlers());
    this.bridge = Bridge.to(services, callers, eventLoops);
    this.reception =
        new Reception(
            new Services(envoy, callers, bridge, bounds), TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
  }

  /** Many tools still ask for the version that came before. */
  @SuppressWarnings("deprecation")
  private static BindableService oldReflection() {
    return ProtoReflectionService.newInstance();
  }

  /** Starts to listen; from then on calls are answered. If that fails, nothing is left of it. */
  public synchronized void start() throws IOException {
    try {
      QuietLogs.begin();
      bridge.start();
      listeners.listen(bootstrap(), options.address(), reception.door(options.tls()));
      listeners.listen(bootstrap(), options.socket(), reception.door(/* tls= */ null));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private ServerBootstrap bootstrap() {
    return new ServerBootstrap()
        .group(eventLoops)
        .handler(bound)
        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
  }

  /** The TCP port. */
  public synchronized int port() {
    return listeners.port();
  }

  /** Takes no new connections or calls, and tells those who watch; calls under way go on. */
  public synchronized void stopAccepting() {
    if (!stopping) {
      stopping = true;
      listeners.stop();
      reception.leave();
      health.end();
    }
  }

  /** Ends calls that are still under way after a while, and frees the ports. */
  @Override
  public synchronized void close() {
    stopAccepting();
    reception.close();
    bridge.close();
    workers.shutdown();
    var unused =
        eventLoops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
