package io.penstock.server.cluster;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Direct calls between nodes that go wrong as they are told. Confined to the thread of a test. */
final class Network implements Link {
  enum Fault {
    NONE,
    LOSES_QUESTION,
    LOSES_ANSWER,
    REFUSES,
    DOUBLES,
    DELAYS,
    GARBLES,
    IS_OF_ANOTHER_FORMAT
  }

  final List<String> asked = new ArrayList<>();

  /** Whether whoever is there belongs to another cluster. */
  boolean isEstranged;

  /** What they were asked, in bytes. */
  final List<byte[]> questions = new ArrayList<>();

  private final Map<String, OwnerDesk> desks = new HashMap<>();
  private final Deque<Runnable> delayed = new ArrayDeque<>();
  private final Deque<Fault> faults = new ArrayDeque<>();

  void add(String name, OwnerDesk desk) {
    desks.put(name, desk);
  }

  /** What happens to the next questions, one each; afterwards nothing. */
  Network next(Fault... each) {
    faults.addAll(List.of(each));
    return this;
  }

  /** What was delayed arrives. */
  void arrive() {
    for (Runnable each = delayed.poll(); each != null; each = delayed.poll()) {
      each.run();
    }
  }

  @Override
  public boolean isEstranged() {
    return isEstranged;
  }

  @Override
  public CompletionStage<byte[]> ask(String node, byte[] question, Duration timeout) {
    asked.add(node);
    questions.add(question);
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    OwnerDesk desk = desks.get(node);
    Fault fault = faults.isEmpty() ? Fault.NONE : faults.poll();
    if (desk == null) {
      throw new IllegalArgumentException("node: " + node + " (expected: one of the network)");
    }
    switch (fault) {
      case NONE -> desk.answer(question, answer::complete);
      case LOSES_QUESTION -> answer.completeExceptionally(new IllegalStateException("lost"));
      case LOSES_ANSWER ->
          desk.answer(
              question, lost -> answer.completeExceptionally(new IllegalStateException("lost")));
      case REFUSES -> throw new IllegalStateException("refused");
      case DOUBLES -> {
        desk.answer(question, answer::complete);
        desk.answer(question.clone(), copy -> {});
      }
      case DELAYS -> delayed.add(() -> desk.answer(question, answer::complete));
      case IS_OF_ANOTHER_FORMAT -> {
        byte[] newer = question.clone();
        newer[0] = 99;
        desk.answer(newer, answer::complete);
      }
      case GARBLES -> desk.answer(question, bytes -> answer.complete(new byte[] {1, 9}));
    }
    return answer;
  }
}
