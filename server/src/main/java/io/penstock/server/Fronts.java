package io.penstock.server;

import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.ServerConfig.Listen;
import io.penstock.server.config.ServerConfig.ResetHeader;
import io.penstock.server.grpc.GrpcBackends;
import io.penstock.server.grpc.GrpcFront;
import io.penstock.server.grpc.GrpcOptions;
import io.penstock.server.http.Backends;
import io.penstock.server.http.HttpFront;
import io.penstock.server.http.HttpSettings;
import io.penstock.server.node.Node;
import io.penstock.server.resp.RespOptions;
import io.penstock.server.resp.RespServer;
import io.penstock.server.resp.RespStats;
import io.penstock.server.security.TlsConfig;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The three protocols of a server. Thread-safe. */
final class Fronts implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Fronts.class.getName());
  private static final int LOOPS = Runtime.getRuntime().availableProcessors();

  private final ServerConfig config;
  private final Parts parts;
  private @Nullable FutureTask<HttpFront> listening;
  private @Nullable HttpFront http;
  private @Nullable GrpcFront grpc;
  private @Nullable RespServer resp;

  Fronts(ServerConfig config, Parts parts) {
    this.config = config;
    this.parts = parts;
  }

  /** Begins to tell over HTTP that the server is not ready; does not wait. */
  synchronized void listen() {
    listening = begun("http", this::listenHttp);
  }

  /** Starts all three, side by side: most of it is loading classes. */
  synchronized void start(Core core) throws IOException {
    FutureTask<GrpcFront> second = begun("grpc", () -> startGrpc(core));
    FutureTask<RespServer> third = begun("resp", () -> startResp(core.node()));
    // What has started is known before anything is thrown, so that it can be closed.
    IOException trouble = null;
    try {
      awaitHttp();
    } catch (IOException e) {
      trouble = e;
    }
    try {
      grpc = ended(second);
    } catch (IOException e) {
      trouble = trouble == null ? e : trouble;
    }
    try {
      resp = ended(third);
    } catch (IOException e) {
      trouble = trouble == null ? e : trouble;
    }
    if (trouble != null) {
      throw trouble;
    }
    if (http != null) {
      http.open(
          new Backends(
              core.node(),
              core.policies(),
              core.topology(),
              parts.gatekeeper(),
              parts.health(),
              parts.metrics(),
              parts.clock()));
    }
  }

  private void awaitHttp() throws IOException {
    if (listening != null) {
      FutureTask<HttpFront> begun = listening;
      listening = null;
      http = ended(begun);
    }
  }

  private static <T> FutureTask<T> begun(String name, Callable<T> start) {
    FutureTask<T> task = new FutureTask<>(start);
    new Thread(task, "start-" + name).start();
    return task;
  }

  private static <T> T ended(FutureTask<T> task) throws IOException {
    try {
      return task.get();
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      throw cause instanceof IOException told
          ? told
          : new IOException(String.valueOf(cause), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private HttpFront listenHttp() throws IOException {
    Listen listen = config.listen();
    HttpSettings settings =
        new HttpSettings(
            listen.host().getHostAddress(),
            listen.httpPort(),
            listen.uds(),
            parts.tls(),
            LOOPS,
            config.bounds(),
            listen.trustedProxies(),
            config.reports().resetHeader() == ResetHeader.UNIX);
    return HttpFront.listen(settings, parts.gatekeeper(), parts.health(), parts.metrics());
  }

  private GrpcFront startGrpc(Core core) throws IOException {
    TlsConfig tls = parts.tls();
    GrpcOptions options =
        new GrpcOptions(
            new InetSocketAddress(config.listen().host(), config.listen().grpcPort()),
            socket(".grpc"),
            tls == null ? null : tls.grpc(),
            LOOPS);
    GrpcFront front =
        new GrpcFront(
            options,
            config.bounds(),
            new GrpcBackends(
                core.node(),
                core.policies(),
                core.topology(),
                parts.gatekeeper(),
                parts.metrics()));
    front.start();
    return front;
  }

  private RespServer startResp(Node node) throws IOException {
    TlsConfig tls = parts.tls();
    var context = tls == null ? null : tls.netty();
    RespOptions options =
        RespOptions.at(new InetSocketAddress(config.listen().host(), config.listen().respPort()))
            .withSocket(socket(".resp"))
            .withTls(context == null ? null : () -> context)
            .withBounds(config.bounds());
    RespStats stats = new RespStats(parts.metrics().decisions("resp"));
    parts.metrics().gauge("penstock.resp.connections", "Open connections.", stats::connections);
    parts.metrics().counter("penstock.resp.refused", "Commands refused.", stats::refused);
    return RespServer.start(options, node, parts.gatekeeper(), stats);
  }

  private @Nullable Path socket(String suffix) {
    Path uds = config.listen().uds();
    return uds == null ? null : Path.of(uds + suffix);
  }

  synchronized Addresses addresses() {
    if (http == null || grpc == null || resp == null) {
      throw new IllegalStateException("not started");
    }
    return new Addresses(config, http.port(), grpc.port(), resp.port());
  }

  /** Takes nothing more, answers what was asked, and frees the ports; all three at once. */
  @Override
  public synchronized void close() throws IOException {
    try {
      awaitHttp();
    } catch (IOException neverStarted) {
      LOG.log(Level.DEBUG, "nothing to close", neverStarted);
    }
    FutureTask<Boolean> second = begun("grpc-end", () -> closed(grpc));
    FutureTask<Boolean> third = begun("resp-end", () -> closed(resp));
    try {
      closed(http);
    } finally {
      try {
        ended(second);
      } finally {
        ended(third);
      }
    }
  }

  private static boolean closed(@Nullable AutoCloseable front) throws IOException {
    try {
      if (front != null) {
        front.close();
      }
      return true;
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
