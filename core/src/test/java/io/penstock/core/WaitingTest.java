package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is left behind by waits that go wrong: nothing. */
class WaitingTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A clock on which nobody can wait. */
  private static final class BrokenClock implements Clock {
    @Override
    public long nanos() {
      return START;
    }

    @Override
    public void sleep(long nanos) {
      throw new IllegalStateException("sleep");
    }

    @Override
    public Executor after(long nanos) {
      throw new RejectedExecutionException("after");
    }
  }

  private static MemoryLimiter queue(DecisionListener listener) {
    MemoryLimiter limiter =
        Limiter.builder()
            .policy("1/s burst 5")
            .algorithm(Algorithm.LEAKY_QUEUE)
            .clock(new BrokenClock())
            .listener(listener)
            .build();
    limiter.tryAcquire("a", 3);
    return limiter;
  }

  @Test
  void acquire_sleepFails_freesItsPlaceInTheQueue() {
    MemoryLimiter limiter = queue((key, cost, decision) -> {});
    assertThatIllegalStateException()
        .isThrownBy(() -> limiter.acquire("a", 1, MINUTE))
        .withMessage("sleep");
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void tryAcquireAsync_timerFails_freesItsPlaceInTheQueue() {
    MemoryLimiter limiter = queue((key, cost, decision) -> {});
    assertThat(limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void reserveOrAcquire_listenerThrows_takesNothing() {
    AtomicBoolean broken = new AtomicBoolean();
    MemoryLimiter limiter =
        queue(
            (key, cost, decision) -> {
              if (broken.get()) {
                throw new IllegalStateException("listener");
              }
            });
    broken.set(true);
    assertThatIllegalStateException().isThrownBy(() -> limiter.reserve("a", 1));
    assertThatIllegalStateException().isThrownBy(() -> limiter.acquire("a", 1, MINUTE));
    assertThat(limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture())
        .isCompletedExceptionally();
    broken.set(false);
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void acquire_timeoutZeroOnAClockThatRuns_takesWhatFitsAtOnce() throws InterruptedException {
    long[] now = {START};
    MemoryLimiter limiter = Limiter.builder().policy("1/hour").clock(() -> now[0]++).build();
    assertThat(limiter.acquire("a", 1, Duration.ZERO).allowed()).isTrue();
    assertThat(limiter.acquire("a", 1, Duration.ZERO).allowed()).isFalse();
    assertThat(limiter.tryAcquireAsync("b", 1, Duration.ZERO).toCompletableFuture())
        .isCompletedWithValueMatching(Decision::allowed);
  }
}
