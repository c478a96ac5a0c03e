package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.testkit.GoldenVectors.Line;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The golden vectors: the same answers from every backend. */
interface VectorsContract extends LimiterSource {
  @Test
  default void decide_goldenVectors_answersAsTheyDo() {
    Map<String, Integer> decisions = new HashMap<>();
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s", clock);
    String history = "";
    for (Line line : GoldenVectors.lines()) {
      history = line.verb() == GoldenVectors.Verb.KEY ? "" : history;
      history += line + "\n";
      switch (line.verb()) {
        case KEY -> {
          clock = new ManualClock();
          limiter = newLimiter(policyOf(line), clock);
        }
        case CHANGE -> {
          clock.setNanos(line.micros() * 1_000);
          limiter.update(policyOf(line));
        }
        default -> {
          clock.setNanos(line.micros() * 1_000);
          assertThat(answer(limiter, line)).as(history).isEqualTo(line.answer());
          decisions.merge(limiter.policy().algorithm().name(), 1, Integer::sum);
        }
      }
    }
    for (Algorithm algorithm : Algorithm.all()) {
      assertThat(decisions.get(algorithm.name())).as(algorithm.name()).isGreaterThan(500);
    }
  }

  private static Policy policyOf(Line line) {
    return Policy.parse(line.limit()).withAlgorithm(Algorithm.named(line.algorithm()));
  }

  private static String answer(Limiter limiter, Line line) {
    boolean take = line.verb() == GoldenVectors.Verb.TAKE;
    Decision decision =
        take ? limiter.tryAcquire("key", line.cost()) : limiter.refund("key", line.cost());
    return GoldenVectors.answer(
        decision.allowed(),
        decision.remaining(),
        decision.retryAfterNanos(),
        decision.resetAfterNanos(),
        decision.waitNanos());
  }
}
