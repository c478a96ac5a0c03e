package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.penstock.server.SocketFile;
import io.penstock.server.grpc.JsonRateLimit;
import io.penstock.server.ops.Decisions;
import io.penstock.server.ops.Health;
import io.penstock.server.ops.Metrics;
import io.penstock.server.policy.Kind;
import io.penstock.server.security.Gatekeeper;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The HTTP server: listens, and hands requests to its lanes. Thread-safe. */
public final class HttpFront implements AutoCloseable {
  private static final Duration START_MAX = Duration.ofSeconds(10);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final Workrooms workrooms;
  private final HttpSettings settings;
  private final @Nullable SocketFile socket;
  private volatile Router router;
  private volatile @Nullable CheckRoutes checks;
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final Ports ports = new Ports();
  private @Nullable Future<?> drained;

  private HttpFront(
      Vertx vertx,
      Workrooms workrooms,
      HttpSettings settings,
      @Nullable SocketFile socket,
      Router router) {
    this.vertx = vertx;
    this.workrooms = workrooms;
    this.settings = settings;
    this.socket = socket;
    this.router = router;
  }

  /** Starts to listen; when this returns, requests are answered. */
  public static HttpFront start(HttpSettings settings, Backends backends) throws IOException {
    HttpFront front =
        listen(settings, backends.gatekeeper(), backends.health(), backends.metrics());
    front.open(backends);
    return front;
  }

  /** Starts to listen: until {@link #open} only health is told, and all else is not yet there. */
  public static HttpFront listen(
      HttpSettings settings, Gatekeeper gatekeeper, Health health, Metrics metrics)
      throws IOException {
    Path uds = settings.uds();
    SocketFile socket = uds == null ? null : SocketFile.prepare(uds);
    Workrooms workrooms = Workrooms.open();
    Router early =
        new Router(
            new OperationRoutes(health, metrics, workrooms.metrics()).routes(), /* nothing= */ 503);
    HttpFront front =
        new HttpFront(Vertx.vertx(options(settings)), workrooms, settings, socket, early);
    AtomicInteger connections = new AtomicInteger();
    Bounds bounds = settings.bounds();
    try {
      await(
          front.vertx.deployVerticle(
              () -> {
                Connections own = new Connections(front.ports, connections, bounds);
                Lane lane = new Lane(settings, front, gatekeeper, own);
                front.lanes.add(lane);
                return lane;
              },
              new DeploymentOptions().setInstances(settings.loops())),
          START_MAX);
      if (socket != null) {
        socket.open();
      }
      return front;
    } catch (IOException e) {
      front.close();
      throw e;
    }
  }

  /** The Unix socket to listen at as well; null for none. */
  @Nullable SocketFile socket() {
    return socket;
  }

  /** What is answered now. */
  Router router() {
    return router;
  }

  /** How checks are answered; null until they are. */
  @Nullable CheckRoutes checks() {
    return checks;
  }

  /** From now on everything is answered. */
  public void open(Backends backends) {
    Decisions decisions = backends.metrics().decisions("http");
    CheckRoutes own = new CheckRoutes(backends.node(), decisions, settings.bounds());
    checks = own;
    router = new Router(routes(settings, backends, workrooms, decisions, own), /* nothing= */ 404);
  }

  private static VertxOptions options(HttpSettings settings) {
    return new VertxOptions()
        .setEventLoopPoolSize(settings.loops())
        .setPreferNativeTransport(true)
        // Nothing is served from files, so no folder for them is made.
        .setFileSystemOptions(
            new FileSystemOptions()
                .setClassPathResolvingEnabled(false)
                .setFileCachingEnabled(false));
  }

  /** Every route there is. */
  static List<Route> routes(
      HttpSettings settings,
      Backends backends,
      Workrooms workrooms,
      Decisions decisions,
      CheckRoutes checks) {
    Bounds bounds = settings.bounds();
    List<Route> routes = new ArrayList<>(checks.routes());
    routes.addAll(new HoldRoutes(backends.node(), decisions, bounds).routes());
    routes.addAll(new ForwardAuth(backends, settings).routes());
    routes.addAll(new EnvoyJson(new JsonRateLimit(backends.node(), decisions, bounds)).routes());
    routes.addAll(new KeyRoutes(backends.node(), bounds).routes());
    for (Kind kind : Kind.values()) {
      routes.addAll(
          new DocumentRoutes(backends.policies(), backends.node(), workrooms.store(), kind)
              .routes());
    }
    routes.addAll(
        new ShardRoutes(backends.topology(), backends.node().policies(), bounds).routes());
    routes.addAll(new ClusterRoutes(backends.topology(), bounds).routes());
    routes.addAll(
        new OperationRoutes(backends.health(), backends.metrics(), workrooms.metrics()).routes());
    routes.addAll(new PageRoutes().routes());
    return routes;
  }

  /** The port of TCP. */
  public int port() {
    return lanes.get(0).port();
  }

  /** Takes no new connection and no new request; what is being answered ends. Does not wait. */
  public synchronized void stopAccepting() {
    if (drained == null) {
      drained =
          ports
              .close()
              .transform(
                  closed ->
                      Future.join(lanes.stream().map(lane -> lane.drain(DRAIN_MAX)).toList()));
    }
  }

  /** Waits for what is being answered, and ends. */
  @Override
  public synchronized void close() throws IOException {
    stopAccepting();
    try {
      await(drained, DRAIN_MAX.plusSeconds(1));
    } finally {
      workrooms.close();
      await(vertx.close(), DRAIN_MAX);
      if (socket != null) {
        socket.remove();
      }
    }
  }

  private static void await(@Nullable Future<?> future, Duration most) throws IOException {
    if (future == null) {
      return;
    }
    try {
      future.toCompletionStage().toCompletableFuture().get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      throw new IOException("no end within " + most, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
