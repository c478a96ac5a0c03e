package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatheringTest {
  private final List<String> told = new ArrayList<>();
  private final List<Asker<Answer>> asked = new ArrayList<>();

  private void ask(int count) {
    List<CheckRequest> checks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      checks.add(CheckRequest.of("api", List.of(Descriptor.of("user", "42")), /* cost= */ 1));
    }
    new Gathering<String>(
            checks,
            answer -> "answer",
            cause -> "refused",
            Asker.of(all -> told.add(all.toString()), cause -> told.add("failed")))
        .ask((check, one) -> take(one));
  }

  /** The third check is never taken. */
  private void take(Asker<Answer> one) {
    asked.add(one);
    if (asked.size() == 3) {
      throw new IllegalStateException("asked in vain");
    }
  }

  @Test
  void ask_allRefusedFromTheLastToTheFirst_isToldOnceByTheLast() {
    ask(2);
    asked.get(1).fail(new UnavailableException("gone"));
    assertThat(told).isEmpty();
    asked.get(0).fail(new UnavailableException("gone"));
    assertThat(told).containsExactly("[refused, refused]");
  }

  @Test
  void ask_oneFails_isToldOnceWhateverComesLater() {
    ask(2);
    asked.get(1).fail(new IllegalStateException("wrong"));
    asked.get(0).fail(new UnavailableException("gone"));
    asked.get(1).fail(new UnavailableException("gone"));
    assertThat(told).containsExactly("failed");
  }

  @Test
  void ask_oneThrows_failsAndTheOthersAreAskedAndTellNothing() {
    ask(4);
    assertThat(asked).hasSize(4);
    for (Asker<Answer> one : asked) {
      one.fail(new UnavailableException("gone"));
    }
    assertThat(told).containsExactly("failed");
  }
}
