package io.penstock.server.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.penstock.server.ListenTrouble;
import io.penstock.server.SocketFile;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Gatekeeper;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event loop with its connections: finds who answers a request. Confined to its thread. */
final class Lane extends VerticleBase implements Handler<HttpServerRequest> {
  private static final Logger LOG = System.getLogger(Lane.class.getName());
  static final CharSequence API_KEY = HttpHeaders.createOptimized("X-API-Key");

  private final HttpSettings settings;
  private final HttpFront front;
  private final Gatekeeper gatekeeper;
  private final Connections connections;
  private final List<HttpServer> servers = new ArrayList<>();
  private volatile @Nullable Thread thread;
  private @Nullable PlainDesk desk;

  Lane(HttpSettings settings, HttpFront front, Gatekeeper gatekeeper, Connections connections) {
    this.settings = settings;
    this.front = front;
    this.gatekeeper = gatekeeper;
    this.connections = connections;
  }

  @Override
  public Future<?> start() {
    thread = Thread.currentThread();
    vertx.setPeriodic(1_000, timer -> connections.tick());
    HttpServerOptions options = ServerOptions.of(settings.bounds());
    List<Future<HttpServer>> starts = new ArrayList<>();
    SocketFile socket = front.socket();
    if (socket != null) {
      SocketAddress path = SocketAddress.domainSocketAddress(socket.bound().toString());
      starts.add(
          server(options)
              .listen(path)
              .recover(e -> Future.failedFuture(ListenTrouble.of(socket.path(), e))));
    }
    if (settings.tls() != null) {
      settings.tls().addTo(options);
    }
    InetSocketAddress tcp = new InetSocketAddress(settings.host(), settings.port());
    starts.add(
        server(options)
            .listen(address())
            .recover(e -> Future.failedFuture(ListenTrouble.of("http", tcp, e))));
    return Future.all(starts);
  }

  /** All lanes share one port, also if it may be any. */
  private SocketAddress address() {
    return settings.port() == 0
        ? SocketAddress.sharedRandomPort(1, settings.host())
        : SocketAddress.inetSocketAddress(settings.port(), settings.host());
  }

  private HttpServer server(HttpServerOptions options) {
    HttpServer server =
        vertx
            .createHttpServer(options)
            .connectionHandler(this::enter)
            .requestHandler(this)
            .invalidRequestHandler(this::refuseUnreadable)
            .exceptionHandler(e -> LOG.log(Level.DEBUG, "connection failed", e));
    servers.add(server);
    return server;
  }

  private void enter(HttpConnection connection) {
    CheckRoutes checks = front.checks();
    if (desk == null && checks != null) {
      desk = new PlainDesk(checks, gatekeeper, settings);
    }
    connections.add(connection, desk);
  }

  /** The port of TCP, once the lane has started. */
  int port() {
    return servers.get(servers.size() - 1).actualPort();
  }

  /** Accepts nothing more, and lets what is being answered end. */
  Future<?> drain(Duration timeout) {
    return Future.join(servers.stream().map(server -> server.shutdown(timeout)).toList());
  }

  boolean isHere() {
    return Thread.currentThread() == thread;
  }

  void execute(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  @Override
  public void handle(HttpServerRequest request) {
    Exchange exchange = new Exchange(request, this, gatekeeper.anonymous());
    try {
      admit(exchange);
    } catch (RuntimeException e) {
      fail(exchange, e);
    }
  }

  private void admit(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    Router router = front.router();
    Router.Found found = router.find(String.valueOf(request.path()));
    if (found == null) {
      throw router.refusal();
    }
    Route route = found.place().route(request.method().name());
    if (route == null) {
      exchange.with(HttpHeaders.ALLOW, found.place().methods());
      throw Refusal.of(405, request.method() + " (expected: " + found.place().methods() + ")");
    }
    exchange.setValues(found.values());
    if (!route.admission().isOpen()) {
      exchange.setCaller(caller(exchange, route.takesAnyMethod()));
    }
    if (!route.takesAnyQuery()) {
      exchange.setQuery(Query.parse(request.query(), route.query()));
    }
    if (route.admission() == Route.Admission.JSON) {
      requireJson(exchange);
    }
    if (route.admission().readsBody()) {
      new BodyCollector(exchange, this, route.endpoint(), settings.bounds().bodyBytes()).start();
    } else {
      route.endpoint().answer(exchange);
    }
  }

  /**
   * A gateway that asks on behalf of a client passes on what the client shows to the application,
   * so its own key, if it has one, comes first.
   */
  private Caller caller(Exchange exchange, boolean onBehalf) {
    if (gatekeeper.isOpen()) {
      return gatekeeper.anonymous();
    }
    String key = exchange.header(API_KEY);
    String authorization = exchange.header(HttpHeaders.AUTHORIZATION);
    Caller caller = gatekeeper.byHeader(onBehalf && key != null ? null : authorization, key);
    if (caller == null) {
      exchange.with("WWW-Authenticate", "Bearer realm=\"penstock\"");
      throw Refusal.of(401, "an API key or a token is missing, or not valid");
    }
    return caller;
  }

  private static void requireJson(Exchange exchange) {
    String type = String.valueOf(exchange.header(HttpHeaders.CONTENT_TYPE));
    int end = type.indexOf(';');
    if (!(end < 0 ? type : type.substring(0, end)).strip().equalsIgnoreCase("application/json")) {
      throw Refusal.of(415, "Content-Type: " + type + " (expected: application/json)");
    }
  }

  /** Lets an endpoint answer, and answers for it if it fails. */
  void answer(Exchange exchange, Endpoint endpoint) {
    try {
      endpoint.answer(exchange);
    } catch (RuntimeException e) {
      fail(exchange, e);
    }
  }

  void fail(Exchange exchange, RuntimeException e) {
    exchange.refuse(loggedRefusal(e));
  }

  /** What a failure is in the words of HTTP; one of ours is logged. */
  static Refusal loggedRefusal(RuntimeException e) {
    Refusal refusal = refusal(e);
    if (refusal.status() == 500) {
      LOG.log(Level.ERROR, "a request failed", e);
    }
    return refusal;
  }

  /** What a failure is in the words of HTTP. */
  static Refusal refusal(RuntimeException e) {
    if (e instanceof Refusal refusal) {
      return refusal;
    }
    if (e instanceof RefundRefusedException) {
      return Refusal.of(403, String.valueOf(e.getMessage()));
    }
    if (e instanceof UnavailableException) {
      return Refusal.of(503, String.valueOf(e.getMessage()));
    }
    if (e instanceof IllegalArgumentException) {
      return Refusal.of(400, String.valueOf(e.getMessage()));
    }
    return Refusal.of(500, "this failed inside; the log says why");
  }

  private void refuseUnreadable(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    Exchange exchange = new Exchange(request, this, gatekeeper.anonymous());
    if (cause instanceof Refusal refusal) {
      exchange.refuse(refusal);
    } else if (cause instanceof TooLongHttpLineException) {
      exchange.refuse(Refusal.of(414, "the request line is too long"));
    } else if (cause instanceof TooLongHttpHeaderException) {
      exchange.refuse(Refusal.of(431, "the header fields are too large"));
    } else {
      exchange.refuse(Refusal.of(400, "this is not a request of HTTP/1.1"));
    }
  }
}
