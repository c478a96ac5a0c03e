package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Node;
import io.penstock.server.security.Role;
import java.util.List;
import java.util.Set;

/** What an operator does to single keys. Thread-safe. */
final class KeyRoutes {
  private final Node node;
  private final Bounds bounds;

  KeyRoutes(Node node, Bounds bounds) {
    this.node = node;
    this.bounds = bounds;
  }

  List<Route> routes() {
    return List.of(
        Route.json("POST", "/v1/keys/reset", this::reset),
        Route.json("POST", "/v1/keys/block", this::block),
        Route.json("POST", "/v1/keys/override", this::override));
  }

  private void reset(Exchange exchange) {
    Question question = question(exchange, QuestionField.RESET);
    node.reset(question.domain(), question.descriptors(), exchange.asker(KeyRoutes::send));
  }

  private void block(Exchange exchange) {
    Question question = question(exchange, QuestionField.BLOCK);
    node.block(
        question.domain(),
        question.descriptors(),
        question.untilMillis(),
        exchange.asker(KeyRoutes::send));
  }

  private void override(Exchange exchange) {
    Question question = question(exchange, QuestionField.OVERRIDE);
    node.override(
        question.domain(),
        question.descriptors(),
        question.limits(),
        question.untilMillis(),
        exchange.asker(KeyRoutes::send));
  }

  private Question question(Exchange exchange, Set<QuestionField> known) {
    Question question = QuestionReader.order(exchange.body(), bounds, known);
    exchange.require(Role.ADMIN, question.domain());
    return question;
  }

  private static void send(Exchange exchange, Durability durability) {
    exchange.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeStringField("durability", durability.text());
          json.writeEndObject();
        });
  }
}
