package io.penstock.server.grpc;

import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettySslContextServerCredentials;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.server.Bounds;
import io.penstock.server.SocketFile;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Metrics;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The gRPC server: own API, Envoy's rate limit service, health and reflection, over TCP and a Unix
 * domain socket. Thread-safe.
 *
 * <p>Calls run on the event loops: nothing in them blocks, and what waits for the disk is answered
 * from there.
 */
public final class GrpcFront implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GrpcFront.class.getName());
  private static final int HANDSHAKE_SECONDS = 10;
  private static final int PING_SECONDS = 60;
  private static final int PONG_SECONDS = 20;

  /** Clients may ping as often as this, also between calls: proxies do. */
  private static final int PINGED_SECONDS = 5;

  /** Envoy resets a call that is late; a client that does nothing else is cut off. */
  private static final int RESETS = 20_000;

  private static final int RESETS_SECONDS = 10;
  private static final int CLOSE_SECONDS = 5;

  private final GrpcOptions options;
  private final Bounds bounds;
  private final Callers callers;
  private final List<BindableService> services;
  private final HealthStatusManager health = new HealthStatusManager();
  private final ConnectionBound connections;
  private final Transport transport = Transport.here();
  private final EventLoopGroup eventLoops;
  private final ThreadPoolExecutor workers = Workers.start();
  private final List<Server> servers = new ArrayList<>();
  private boolean stopping;

  public GrpcFront(GrpcOptions options, Bounds bounds, GrpcBackends backends) {
    this.options = options;
    this.bounds = bounds;
    this.callers = new Callers(backends.gatekeeper());
    Node node = backends.node();
    Metrics metrics = backends.metrics();
    PolicyCalls policies = new PolicyCalls(backends.policies(), node.policies(), callers, workers);
    CheckQuestion question = new CheckQuestion(bounds, callers);
    this.services =
        List.of(
            new EnvoyService(node, metrics.decisions("rls"), bounds, callers),
            new PenstockService(node, metrics.decisions("grpc"), question, policies),
            health.getHealthService(),
            ProtoReflectionServiceV1.newInstance(),
            oldReflection());
    this.connections = new ConnectionBound(bounds.connections());
    this.eventLoops = transport.eventLoops(options.eventLoops());
  }

  /** Many tools still ask for the version that came before. */
  @SuppressWarnings("deprecation")
  private static BindableService oldReflection() {
    return ProtoReflectionService.newInstance();
  }

  /** Starts to listen; from then on calls are answered. If that fails, nothing is left of it. */
  public synchronized void start() throws IOException {
    QuietLogs.begin();
    try {
      SslContext tls = options.tls();
      ServerCredentials plain = InsecureServerCredentials.create();
      ServerCredentials tcp = tls == null ? plain : NettySslContextServerCredentials.create(tls);
      listen(options.address(), tcp, transport::tcp);
      Path socket = options.socket();
      if (socket != null) {
        SocketFile.free(socket);
        listen(transport.unixAddress(socket), plain, transport::unix);
      }
      health.setStatus(RateLimitServiceGrpc.SERVICE_NAME, ServingStatus.SERVING);
      health.setStatus(PenstockGrpc.SERVICE_NAME, ServingStatus.SERVING);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void listen(
      SocketAddress address, ServerCredentials credentials, Supplier<ServerChannel> channels)
      throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address, credentials)
            .bossEventLoopGroup(eventLoops)
            .workerEventLoopGroup(eventLoops)
            .channelFactory(() -> bounded(channels.get()))
            .directExecutor()
            .intercept(callers)
            .maxInboundMessageSize(bounds.bodyBytes())
            .maxInboundMetadataSize(bounds.headBytes())
            .maxConcurrentCallsPerConnection(bounds.pipelined())
            .maxConnectionIdle(bounds.idleSeconds(), TimeUnit.SECONDS)
            .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveTime(PINGED_SECONDS, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .maxRstFramesPerWindow(RESETS, RESETS_SECONDS);
    services.forEach(builder::addService);
    servers.add(builder.build().start());
  }

  private ServerChannel bounded(ServerChannel channel) {
    channel.pipeline().addLast(connections);
    return channel;
  }

  /** The TCP port. */
  public synchronized int port() {
    return servers.get(0).getPort();
  }

  /** Takes no new connections or calls, and tells those who watch; calls under way go on. */
  public synchronized void stopAccepting() {
    if (!stopping) {
      stopping = true;
      health.enterTerminalState();
      servers.forEach(Server::shutdown);
    }
  }

  /** Ends calls that are still under way after a while, and frees the ports. */
  @Override
  public synchronized void close() {
    stopAccepting();
    boolean ended = true;
    for (Server server : servers) {
      ended &= awaitEnd(server);
    }
    if (!ended) {
      servers.forEach(Server::shutdownNow);
    }
    workers.shutdown();
    var unused =
        eventLoops.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    removeSocket();
  }

  private void removeSocket() {
    if (servers.size() > 1) {
      try {
        SocketFile.remove(options.socket());
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "left behind: " + options.socket(), e);
      }
    }
  }

  private static boolean awaitEnd(Server server) {
    try {
      return server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
