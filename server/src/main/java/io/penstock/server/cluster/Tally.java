package io.penstock.server.cluster;

import io.penstock.server.node.Answer;
import io.penstock.server.node.Why;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts what a node asked of others, and what nobody answered. Thread-safe. */
public final class Tally {
  /** The reason of what has no fail mode: whoever asked is told that nobody answers. */
  private static final String UNAVAILABLE = "unavailable";

  private final LongAdder forwarded = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Map<String, LongAdder> failAnswers =
      List.of(Why.FAIL_OPEN.text(), Why.FAIL_CLOSED.text(), Why.FAIL_LOCAL.text(), UNAVAILABLE)
          .stream()
          .collect(Collectors.toUnmodifiableMap(Function.identity(), reason -> new LongAdder()));

  void forward() {
    forwarded.increment();
  }

  void failure() {
    failures.increment();
  }

  /** Counts an answer by a fail mode; what is not counted anywhere needs none. */
  Answer failed(Answer answer) {
    count(answer.why().text());
    return answer;
  }

  void unavailable() {
    count(UNAVAILABLE);
  }

  private void count(String reason) {
    @Nullable LongAdder adder = failAnswers.get(reason);
    if (adder != null) {
      adder.increment();
    }
  }

  /** Questions that were sent to other nodes, each time that one was. */
  public long forwarded() {
    return forwarded.sum();
  }

  /** Those of them that got no answer, or one that cannot be read. */
  public long failures() {
    return failures.sum();
  }

  /** Why something was answered without an owner; every reason there is. */
  public List<String> reasons() {
    return failAnswers.keySet().stream().sorted().toList();
  }

  /** How often it was, by a reason of those. */
  public long failAnswers(String reason) {
    LongAdder adder = failAnswers.get(reason);
    if (adder == null) {
      throw new IllegalArgumentException("reason: " + reason + " (expected: " + reasons() + ")");
    }
    return adder.sum();
  }
}
