package io.penstock.server.http;

import io.penstock.server.ops.Health;
import io.penstock.server.ops.Metrics;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Locale;

/** What operators and their tools look at. Thread-safe. */
final class OperationRoutes {
  private static final CharSequence METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final Health health;
  private final Metrics metrics;
  private final Workroom collecting;
  private final Asset openapi = Asset.read("openapi.json", "application/json");

  OperationRoutes(Health health, Metrics metrics, Workroom collecting) {
    this.health = health;
    this.metrics = metrics;
    this.collecting = collecting;
  }

  List<Route> routes() {
    return List.of(
        Route.open("GET", "/healthz", this::health),
        Route.open("GET", "/readyz", this::ready),
        Route.open("GET", "/healthcheck", this::healthcheck),
        Route.bare("GET", "/metrics", this::metrics),
        Route.open("GET", "/openapi.json", openapi::send));
  }

  private void health(Exchange exchange) {
    exchange.send(200, Media.JSON, Buffer.buffer(health.json()));
  }

  private void ready(Exchange exchange) {
    if (!health.isReady()) {
      throw Refusal.of(503, health.phase().name().toLowerCase(Locale.ROOT));
    }
    exchange.send(200, Media.TEXT, Buffer.buffer("ready\n"));
  }

  /** Readiness in the words of envoyproxy/ratelimit, for the probes of those who come from it. */
  private void healthcheck(Exchange exchange) {
    if (health.isReady()) {
      exchange.send(200, Media.TEXT, Buffer.buffer("OK"));
    } else {
      /* Told, not thrown: nothing has failed that the log should tell. */
      exchange.refuse(Refusal.of(500, health.phase().name().toLowerCase(Locale.ROOT)));
    }
  }

  private void metrics(Exchange exchange) {
    exchange.require(Role.READ, Caller.EVERY_DOMAIN);
    collecting.run(
        exchange,
        () -> {
          Buffer told = Buffer.buffer(metrics.scrape());
          return back -> back.send(200, METRICS, told);
        });
  }
}
