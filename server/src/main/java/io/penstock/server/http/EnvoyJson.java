package io.penstock.server.http;

import io.penstock.server.fields.RateLimitFields;
import io.penstock.server.grpc.JsonRateLimit;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Envoy's rate limit service as JSON, where its users expect it. Thread-safe. */
final class EnvoyJson {
  private final JsonRateLimit service;

  EnvoyJson(JsonRateLimit service) {
    this.service = service;
  }

  List<Route> routes() {
    return List.of(Route.body("POST", "/json", this::answer));
  }

  private void answer(Exchange exchange) {
    String body = exchange.bodyText();
    service.answer(
        body,
        exchange.caller(),
        exchange::header,
        reply -> exchange.resume(back -> send(back, reply)));
  }

  private static void send(Exchange exchange, JsonRateLimit.Reply reply) {
    if (reply.status() == 429) {
      exchange.with(RateLimitFields.RETRY_AFTER, Long.toString(reply.retryAfterSeconds()));
    }
    if (reply.status() == 200 || reply.status() == 429) {
      exchange.send(reply.status(), Media.JSON, Buffer.buffer(reply.body()));
    } else {
      throw Refusal.of(reply.status(), reply.body());
    }
  }
}
