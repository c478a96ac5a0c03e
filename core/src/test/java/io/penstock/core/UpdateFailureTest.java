package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A law of somebody's own that throws while a policy is replaced or a key gets another. */
@Timeout(60)
class UpdateFailureTest {
  private static final int KEYS = 200;

  private static final class Failing extends OwnWindow {
    int changes;
    boolean fails;

    @Override
    public void change(Step step, Limit from, Limit to, long nowNanos) {
      changes++;
      if (fails) {
        fails = false;
        throw new IllegalStateException("change");
      }
      super.change(step, from, to, nowNanos);
    }
  }

  private final StillClock clock = new StillClock();
  private final Failing law = new Failing();

  private Policy policy(String limit) {
    return new Policy(List.of(Limit.parse(limit)), law, FailMode.OPEN);
  }

  private MemoryLimiter usedUp(int keys) {
    MemoryLimiter limiter =
        Limiter.builder().policy(policy("1/day")).clock(clock).maxBytes(1 << 16).build();
    for (int i = 0; i < keys; i++) {
      assertThat(limiter.isAllowed("key" + i)).isTrue();
    }
    return limiter;
  }

  /** States of rules that are over are rewritten now and then, a few by each update. */
  private void updateUntilOneIsRewritten(MemoryLimiter limiter) {
    for (int i = 0; law.changes == 0; i++) {
      limiter.update(policy(i % 2 == 0 ? "1/2day" : "1/day"));
    }
  }

  @Test
  void update_statesCannotBeRewritten_isToldAndIsInForceForThoseWhoWait() {
    MemoryLimiter limiter = usedUp(KEYS);
    updateUntilOneIsRewritten(limiter);
    CompletableFuture<Decision> waiter =
        limiter.tryAcquireAsync("key0", 1, Duration.ofDays(9)).toCompletableFuture();
    assertThat(waiter).isNotDone();
    law.fails = true;
    assertThatIllegalStateException().isThrownBy(() -> limiter.update(policy("100/day")));
    clock.turn();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
    for (int i = 0; i < KEYS; i++) {
      assertThat(limiter.isAllowed("key" + i)).as("key %d", i).isTrue();
    }
  }

  @Test
  void override_statesCannotBeRewritten_isToldAndIsInForceForWhoWaits() {
    MemoryLimiter limiter = usedUp(KEYS);
    updateUntilOneIsRewritten(limiter);
    assertIsToldAndInForce(limiter);
  }

  @Test
  void override_stateOfTheKeyCannotBeConverted_isToldAndIsInForceForWhoWaits() {
    assertIsToldAndInForce(usedUp(/* keys= */ 1));
  }

  private void assertIsToldAndInForce(MemoryLimiter limiter) {
    CompletableFuture<Decision> waiter =
        limiter.tryAcquireAsync("key0", 1, Duration.ofDays(9)).toCompletableFuture();
    assertThat(waiter).isNotDone();
    law.fails = true;
    assertThatIllegalStateException()
        .isThrownBy(() -> limiter.override("key0", policy("100/day"), Instant.MAX));
    clock.turn();
    assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
  }
}
