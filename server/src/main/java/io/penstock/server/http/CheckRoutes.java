package io.penstock.server.http;

import io.penstock.server.Bounds;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Gathering;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Decisions;
import io.penstock.server.ops.Origin;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Checks, one at a time or many. Thread-safe. */
final class CheckRoutes {
  private static final byte[] BEGIN = JsonBytes.piece("{\"answers\":[");
  private static final byte[] NEXT = JsonBytes.piece(",");
  private static final byte[] END = JsonBytes.piece("]}");

  private final Node node;
  private final Decisions decisions;
  private final Bounds bounds;

  CheckRoutes(Node node, Decisions decisions, Bounds bounds) {
    this.node = node;
    this.decisions = decisions;
    this.bounds = bounds;
  }

  List<Route> routes() {
    return List.of(
        Route.body("POST", "/v1/check", this::check),
        Route.body("POST", "/v1/check:batch", this::batch));
  }

  private void check(Exchange exchange) {
    check(
        QuestionReader.one(exchange.body(), bounds, QuestionField.CHECK),
        exchange.caller(),
        exchange::header,
        exchange.asker((back, answer) -> back.bytes(json -> AnswerJson.write(json, answer))));
  }

  /** Decides a check. Throws what {@link Lane#refusal} knows if that cannot be. */
  void check(Question question, Caller caller, Origin origin, Asker<Answer> done) {
    check(authorized(caller, question), origin, done);
  }

  private void check(CheckRequest check, Origin origin, Asker<Answer> done) {
    node.check(check, decisions.watch(check, origin, done));
  }

  private void batch(Exchange exchange) {
    List<CheckRequest> checks = new ArrayList<>();
    for (Question question : QuestionReader.batch(exchange.body(), bounds)) {
      checks.add(authorized(exchange.caller(), question));
    }
    new Gathering<Consumer<JsonBytes>>(
            checks,
            answer -> json -> AnswerJson.write(json, answer),
            cause -> json -> json.raw(ProblemJson.of(Lane.refusal(cause)).getBytes()),
            exchange.asker((back, all) -> back.bytes(json -> writeAll(json, all))))
        .ask((check, done) -> check(check, exchange::header, done));
  }

  private static void writeAll(JsonBytes json, List<Consumer<JsonBytes>> all) {
    json.raw(BEGIN);
    for (int i = 0; i < all.size(); i++) {
      if (i > 0) {
        json.raw(NEXT);
      }
      all.get(i).accept(json);
    }
    json.raw(END);
  }

  /** The check, if the caller may ask for it; an admin may give back under any policy. */
  static CheckRequest authorized(Caller caller, Question question) {
    Exchange.require(caller, Role.CHECK, question.domain());
    return question.toCheck(caller.may(Role.ADMIN, question.domain()));
  }
}
