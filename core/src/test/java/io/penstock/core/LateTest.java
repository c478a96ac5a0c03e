package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions that come late: a batch reads the clock once, and others decide while it goes on. */
class LateTest {
  private final StillClock clock = new StillClock();

  /** Decides a batch of two keys, and takes so many of the second while the first is decided. */
  private boolean decideLate(LimiterBuilder parts, long meanwhile, Duration later, long late) {
    List<MemoryLimiter> self = new ArrayList<>();
    MemoryLimiter limiter =
        parts
            .clock(clock)
            .listener(
                (key, cost, decision) -> {
                  if (self.size() == 1) {
                    self.add(self.get(0));
                    clock.now += later.toNanos();
                    self.get(0).tryAcquire("late", meanwhile);
                  }
                })
            .build();
    self.add(limiter);
    Batch batch = limiter.newBatch(2);
    batch.add("first", 1);
    batch.add("late", late);
    batch.decide();
    clock.now += later.toNanos();
    return limiter.tryAcquire("late", meanwhile + late).allowed();
  }

  @Test
  void slidingLog_takenLate_forgetsNothingOfOthers() {
    Policy policy = Policy.parse("1000/s").withAlgorithm(Algorithm.SLIDING_WINDOW_LOG);
    LimiterBuilder parts = Limiter.builder().policy(policy);
    assertThat(decideLate(parts, 999, Duration.ofMillis(500), 1)).isFalse();
  }

  /** Users' algorithms rely on a time that never decreases. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ownAlgorithm_decidedLate_isToldNoEarlierInstant(boolean inStore) {
    List<Long> told = new ArrayList<>();
    Algorithm own =
        new OwnWindow() {
          @Override
          public void decide(Step step, Limit limit, long nowNanos, long cost) {
            told.add(nowNanos);
            super.decide(step, limit, nowNanos, cost);
          }
        };
    LimiterBuilder parts = Limiter.builder().policy("10/s").algorithm(own);
    decideLate(inStore ? parts.store(new MapStore()) : parts, 1, Duration.ofMillis(300), 1);
    assertThat(told).hasSizeGreaterThan(3).isSorted();
  }
}
