package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private final long nanosPerReading;
    private long now = START;

    BrokenClock(long nanosPerReading) {
      this.nanosPerReading = nanosPerReading;
    }

    @Override
    public long nanos() {
      now += nanosPerReading;
      return now;
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
            .clock(new BrokenClock(/* nanosPerReading= */ 0))
            .listener(listener)
            .build();
    limiter.tryAcquire("a", 3);
    return limiter;
  }

  @Test
  void acquire_interruptedBefore_takesNothing() {
    MemoryLimiter limiter = Limiter.of("5/day");
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> limiter.acquire("a", 1, MINUTE));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
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
  void tryAcquireAsync_noThreadForATimer_freesItsPlaceInTheQueue() {
    Clock clock =
        new Clock() {
          @Override
          public long nanos() {
            return START;
          }

          @Override
          public Executor after(long nanos) {
            throw new InternalError("no native thread");
          }
        };
    MemoryLimiter limiter =
        Limiter.builder()
            .policy("1/s burst 5")
            .algorithm(Algorithm.LEAKY_QUEUE)
            .clock(clock)
            .build();
    limiter.tryAcquire("a");
    assertThat(limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(1));
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

  @Test
  void acquireOrAsync_clockAtItsLastInstant_isDeniedAtOnce() throws InterruptedException {
    for (Algorithm algorithm : List.of(Algorithm.GCRA, Algorithm.LEAKY_QUEUE)) {
      BrokenClock clock = new BrokenClock(/* nanosPerReading= */ 0);
      clock.now = MonotonicClock.NANOS_MAX;
      MemoryLimiter limiter =
          Limiter.builder().policy("5/s").algorithm(algorithm).clock(clock).build();
      limiter.tryAcquire("a", 5);
      limiter.tryAcquire("a", 1);
      assertThat(limiter.acquire("a", 1, MINUTE).allowed()).isFalse();
      assertThat(limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture())
          .isCompletedWithValueMatching(decision -> !decision.allowed());
    }
  }

  @Test
  void reserve_clockComesToItsLastInstant_isDeniedThen() throws InterruptedException {
    StillClock clock = new StillClock();
    clock.now = MonotonicClock.NANOS_MAX - 5;
    MemoryLimiter limiter = Limiter.builder().policy("1 concurrent lease 30s").clock(clock).build();
    limiter.tryAcquire("a");
    clock.events.add(() -> clock.now += 1_000);
    clock.events.add(
        () -> {
          throw new IllegalStateException("sleeps at an instant that never ends");
        });
    assertThat(limiter.acquire("a", 1, MINUTE).allowed()).isFalse();
    assertThat(clock.sleeps).containsExactly(5L);
  }

  @Test
  void acquire_memoryIsFull_isDeniedAtOnce() throws InterruptedException {
    List<Decision> denials = new ArrayList<>();
    MemoryLimiter limiter =
        Limiter.builder()
            .policy(Policy.parse("1/day").withFailMode(FailMode.CLOSED))
            .clock(new BrokenClock(/* nanosPerReading= */ 1_000_000))
            .listener((key, cost, decision) -> denials.addAll(denied(decision)))
            .maxBytes(64 << 10)
            .build();
    int keys = 0;
    while (limiter.tryAcquire("k" + keys).allowed()) {
      keys++;
    }
    assertThat(limiter.acquire("k" + keys, 1, MINUTE).reason()).isEqualTo(Reason.FAIL_CLOSED);
    assertThat(limiter.tryAcquireAsync("k" + keys, 1, MINUTE).toCompletableFuture())
        .isCompletedWithValueMatching(decision -> decision.reason() == Reason.FAIL_CLOSED);
    assertThat(denials).hasSize(3);
  }

  private static List<Decision> denied(Decision decision) {
    return decision.allowed() ? List.of() : List.of(decision);
  }

  @Test
  void tryAcquireAsync_fitsExactlyAtTheTimeout_waits() {
    long[] now = {START};
    List<Long> delays = new ArrayList<>();
    Clock clock =
        new Clock() {
          @Override
          public long nanos() {
            return now[0];
          }

          @Override
          public Executor after(long nanos) {
            delays.add(nanos);
            return run -> {
              now[0] += nanos;
              run.run();
            };
          }
        };
    MemoryLimiter limiter = Limiter.builder().policy("1/min").clock(clock).build();
    limiter.tryAcquire("a");
    assertThat(limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture())
        .isCompletedWithValueMatching(Decision::allowed);
    assertThat(delays).containsExactly(MINUTE.toNanos());
    assertThat(limiter.tryAcquireAsync("a", 1, MINUTE.minusNanos(1)).toCompletableFuture())
        .isCompletedWithValueMatching(decision -> !decision.allowed());
    assertThat(delays).hasSize(1);
  }
}
