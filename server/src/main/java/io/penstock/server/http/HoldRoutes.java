package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Held;
import io.penstock.server.node.Node;
import io.penstock.server.node.Settled;
import io.penstock.server.ops.Decisions;
import io.penstock.server.security.Role;
import java.util.List;

/**
 * What is taken now and settled later: reservations and concurrent slots. Thread-safe.
 *
 * <p>What is held is named by its id alone, which cannot be guessed. Whoever settles it must be one
 * who may take, in whatever domain: one who may only read changes nothing.
 */
final class HoldRoutes {
  private static final long TTL_MILLIS_DEFAULT = 60_000;
  private static final long HOLD_MILLIS_MAX = 86_400_000;

  private final Node node;
  private final Decisions decisions;
  private final Bounds bounds;

  HoldRoutes(Node node, Decisions decisions, Bounds bounds) {
    this.node = node;
    this.decisions = decisions;
    this.bounds = bounds;
  }

  List<Route> routes() {
    return List.of(
        Route.body("POST", "/v1/reserve", this::reserve),
        Route.body("POST", "/v1/reservations/{id}/commit", this::commit),
        Route.body("POST", "/v1/reservations/{id}/cancel", x -> settle(x, node::cancel)),
        Route.body("POST", "/v1/acquire", this::acquire),
        Route.body("POST", "/v1/leases/{id}/renew", x -> settle(x, node::renew)),
        Route.body("POST", "/v1/leases/{id}/release", x -> settle(x, node::release)));
  }

  private void reserve(Exchange exchange) {
    Question question = QuestionReader.one(exchange.body(), bounds, QuestionField.RESERVE);
    CheckRequest check = check(exchange, question, 0);
    node.reserve(
        check,
        holdMillis(question, "ttlMs", TTL_MILLIS_DEFAULT),
        decisions.watchReserve(
            check,
            exchange::header,
            exchange.asker((back, held) -> send(back, held, "reservationId"))));
  }

  private void acquire(Exchange exchange) {
    Question question = QuestionReader.one(exchange.body(), bounds, QuestionField.ACQUIRE);
    CheckRequest check = check(exchange, question, 1);
    node.acquire(
        check,
        holdMillis(question, "leaseMs", Node.LEASE_OF_POLICY),
        decisions.watchAcquire(
            check, exchange::header, exchange.asker((back, held) -> send(back, held, "leaseId"))));
  }

  private static CheckRequest check(Exchange exchange, Question question, long costMin) {
    if (question.cost() < costMin) {
      throw Refusal.field("cost", Long.toString(question.cost()), ">= " + costMin);
    }
    return CheckRoutes.authorized(exchange.caller(), question);
  }

  private static long holdMillis(Question question, String field, long otherwise) {
    long millis = question.holdMillis();
    if (millis == Question.NOT_GIVEN) {
      return otherwise;
    }
    if (millis < 1 || millis > HOLD_MILLIS_MAX) {
      throw Refusal.field(field, Long.toString(millis), "1.." + HOLD_MILLIS_MAX);
    }
    return millis;
  }

  private static void send(Exchange exchange, Held held, String idName) {
    exchange.bytes(json -> AnswerJson.write(json, held.answer(), idName, held.id()));
  }

  private void commit(Exchange exchange) {
    long cost = cost(exchange.body());
    settle(exchange, (id, done) -> node.commit(id, cost, done));
  }

  private static long cost(byte[] body) {
    try (JsonInput in = JsonInput.of(body)) {
      in.beginObject();
      long cost = Question.NOT_GIVEN;
      for (String name = in.nextField(); name != null; name = in.nextField()) {
        if (!name.equals("cost") || cost != Question.NOT_GIVEN) {
          throw in.refusal("unknown field, or given twice", "only cost, once");
        }
        cost = in.integer();
        if (cost < 0) {
          throw in.refusal(Long.toString(cost), ">= 0");
        }
      }
      if (cost == Question.NOT_GIVEN) {
        throw in.missing("cost", "an integer");
      }
      in.end();
      return cost;
    }
  }

  /** Something that is done to what is held, by its id. */
  @FunctionalInterface
  private interface Settling {
    void of(String id, Asker<Settled> done);
  }

  private void settle(Exchange exchange, Settling settling) {
    exchange.requireSomewhere(Role.CHECK);
    String id = Refusal.bounded("id", exchange.value(0, "id"), 1, bounds.requestIdLength());
    settling.of(id, exchange.asker((back, settled) -> send(back, id, settled)));
  }

  private static void send(Exchange exchange, String id, Settled settled) {
    if (settled == Settled.UNKNOWN) {
      throw Refusal.of(404, "id: " + id + " (expected: one that was given out)");
    }
    if (settled == Settled.OVER) {
      throw Refusal.of(410, "id: " + id + " (expected: one whose time is not over)");
    }
    exchange.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeStringField("id", id);
          json.writeStringField("status", "done");
          json.writeEndObject();
        });
  }
}
