package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class DrainTest {
  private final ManualClock clock = new ManualClock();
  private final List<String> led = new ArrayList<>(List.of("meta", "shards"));
  private final Set<String> heirs = new HashSet<>(Set.of("n2"));
  private final List<String> given = new ArrayList<>();
  private final CompletableFuture<Void> slow = new CompletableFuture<>();
  private boolean works = true;
  private boolean isSlow;

  private final Drain drain =
      new Drain(
          new Drain.Seats() {
            @Override
            public List<String> led() {
              return List.copyOf(led);
            }

            @Override
            public CompletionStage<Set<String>> heirs() {
              return CompletableFuture.completedFuture(Set.copyOf(heirs));
            }

            @Override
            public CompletionStage<?> giveAway(String group, Set<String> to) {
              given.add(group + " to " + to);
              if (isSlow) {
                return slow;
              }
              return works && led.remove(group)
                  ? CompletableFuture.completedFuture(group)
                  : CompletableFuture.failedFuture(new IllegalStateException("timeout"));
            }
          },
          clock);

  private void pass() {
    clock.advance(Duration.ofMillis(200));
  }

  @Test
  void begin_nodeThatLeads_givesEverythingAway() {
    CompletableFuture<Void> done = drain.begin().toCompletableFuture();
    assertThat(given).containsExactly("meta to [n2]", "shards to [n2]");
    pass();
    assertThat(done).isCompleted();
    assertThat(drain.isBegun()).isTrue();
  }

  @Test
  void begin_severalGroups_goOneAfterTheOther() {
    isSlow = true;
    drain.begin();
    assertThat(given).containsExactly("meta to [n2]");
    slow.complete(null);
    assertThat(given).containsExactly("meta to [n2]", "shards to [n2]");
  }

  @Test
  void begin_nodeThatIsElectedLater_givesThatAwayToo() {
    drain.begin();
    pass();
    given.clear();
    led.add("shards");
    pass();
    assertThat(given).containsExactly("shards to [n2]");
    pass();
    assertThat(given).hasSize(1);
  }

  @Test
  void begin_nobodyElseThere_leadsOnAndSaysSo() {
    heirs.clear();
    CompletableFuture<Void> done = drain.begin().toCompletableFuture();
    for (int i = 0; i < 2; i++) {
      assertThat(done).isNotDone();
      pass();
    }
    assertThat(done).isCompleted();
    assertThat(given).isEmpty();
    heirs.add("n3");
    pass();
    assertThat(led).isEmpty();
  }

  @Test
  void begin_handOverThatFails_isTriedAgain() {
    works = false;
    drain.begin();
    assertThat(led).hasSize(2);
    works = true;
    pass();
    assertThat(led).isEmpty();
  }

  @Test
  void end_afterThat_nothingIsGivenAway() {
    drain.begin();
    drain.end();
    given.clear();
    led.add("meta");
    pass();
    assertThat(given).isEmpty();
  }

  private static NodeState node(String name, boolean draining) {
    return new NodeState(
        name, /* reachable= */ true, draining, /* clockOffsetMillis= */ 0L, List.of());
  }

  @Test
  void heirs_clockOfOneOff_areThoseOnTimeIfThereAreAny() {
    NodeState self = node("n1", /* draining= */ true);
    NodeState off = node("n2", /* draining= */ false);
    NodeState other = node("n3", /* draining= */ false);
    Predicate<String> onTime = name -> !name.equals("n2");
    assertThat(Drain.heirs("n1", List.of(self, off, other), onTime)).containsExactly("n3");
    assertThat(Drain.heirs("n1", List.of(self, off, node("n3", true)), onTime))
        .containsExactly("n2");
    assertThat(Drain.heirs("n1", List.of(self, off, NodeState.unreachable("n3")), onTime))
        .containsExactly("n2");
  }
}
