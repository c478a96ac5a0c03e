package io.penstock.server.grpc;

import io.penstock.server.node.Answer;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** The answers to the checks of a batch, until the last one is there. Thread-safe. */
final class Gathering {
  private final AtomicReferenceArray<Answer> answers;
  private final AtomicInteger missing;
  private final Consumer<List<Answer>> done;

  private Gathering(int size, Consumer<List<Answer>> done) {
    this.answers = new AtomicReferenceArray<>(size);
    this.missing = new AtomicInteger(size);
    this.done = done;
  }

  /** Asks all checks in order, and hands over the answers in the same order. */
  static void ask(Node node, List<CheckRequest> checks, Consumer<List<Answer>> done) {
    Gathering gathering = new Gathering(checks.size(), done);
    for (int i = 0; i < checks.size(); i++) {
      int index = i;
      node.check(checks.get(i), answer -> gathering.put(index, answer));
    }
  }

  private void put(int index, Answer answer) {
    answers.set(index, answer);
    if (missing.decrementAndGet() == 0) {
      List<Answer> all = new ArrayList<>(answers.length());
      for (int i = 0; i < answers.length(); i++) {
        all.add(answers.get(i));
      }
      done.accept(all);
    }
  }
}
