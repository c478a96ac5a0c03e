package io.penstock.testkit.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limiter;
import io.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExamplesTest {
  @Test
  void loopClock_withinATurn_standsStill() {
    ManualClock source = new ManualClock();
    LoopClock loop = new LoopClock(source);
    Limiter limiter = Limiter.builder().policy("1/s").clock(loop).build();
    assertThat(limiter.isAllowed("a")).isTrue();
    source.advance(Duration.ofSeconds(1));
    assertThat(limiter.isAllowed("a")).isFalse();
    loop.nextTurn();
    assertThat(limiter.isAllowed("a")).isTrue();
  }

  @Test
  void cooldown_threeInARow_needsAPauseAfterTheLast() {
    ManualClock clock = new ManualClock();
    Limiter limiter =
        Limiter.builder().policy("3/min").algorithm(new Cooldown()).clock(clock).build();
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.isAllowed("a")).isTrue();
      clock.advance(Duration.ofSeconds(50));
    }
    assertThat(limiter.tryAcquire("a").retryAfter()).isEqualTo(Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(10));
    assertThat(limiter.tryAcquire("a", 3).allowed()).isTrue();
  }

  @Test
  void mapStore_endedStates_areForgotten() {
    ManualClock clock = new ManualClock();
    MapStore store = new MapStore();
    Limiter limiter = Limiter.builder().policy("3/min").store(store).clock(clock).build();
    limiter.tryAcquire("a", 3);
    assertThat(store.size()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    store.forgetUntil(clock.nanos());
    assertThat(store.size()).isZero();
    assertThat(limiter.tryAcquire("a", 3).allowed()).isTrue();
  }
}
