package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.penstock.server.node.Answer;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Node;
import io.penstock.server.security.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Checks, one at a time or many. Thread-safe. */
final class CheckRoutes {
  private final Node node;
  private final Bounds bounds;

  CheckRoutes(Node node, Bounds bounds) {
    this.node = node;
    this.bounds = bounds;
  }

  List<Route> routes() {
    return List.of(
        Route.body("POST", "/v1/check", this::check),
        Route.body("POST", "/v1/check:batch", this::batch));
  }

  private void check(Exchange exchange) {
    Question question = QuestionReader.one(exchange.body(), bounds, QuestionField.CHECK);
    node.check(
        authorized(exchange, question),
        answer -> exchange.resume(back -> back.json(200, json -> AnswerJson.write(json, answer))));
  }

  private void batch(Exchange exchange) {
    List<CheckRequest> checks = new ArrayList<>();
    for (Question question : QuestionReader.batch(exchange.body(), bounds)) {
      checks.add(authorized(exchange, question));
    }
    // Answers may come on several threads; the last of them sends all.
    AtomicReferenceArray<Answer> answers = new AtomicReferenceArray<>(checks.size());
    AtomicInteger missing = new AtomicInteger(checks.size());
    for (int i = 0; i < checks.size(); i++) {
      int index = i;
      node.check(
          checks.get(i),
          answer -> {
            answers.set(index, answer);
            if (missing.decrementAndGet() == 0) {
              exchange.resume(back -> send(back, answers));
            }
          });
    }
  }

  private static void send(Exchange exchange, AtomicReferenceArray<Answer> answers) {
    exchange.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("answers");
          for (int i = 0; i < answers.length(); i++) {
            AnswerJson.write(json, answers.get(i));
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  /** The check, if the caller may ask for it; an admin may give back under any policy. */
  static CheckRequest authorized(Exchange exchange, Question question) {
    exchange.require(Role.CHECK, question.domain());
    return question.toCheck(exchange.caller().may(Role.ADMIN, question.domain()));
  }
}
