package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Waiting for units, on a thread or without one. The clock is moved by whoever waits. */
interface WaitingContract extends LimiterSource {
  Duration MINUTE = Duration.ofMinutes(1);

  @Test
  default void acquire_notYet_waitsExactlyAsLongAsItMust() throws InterruptedException {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = new ManualClock();
      Limiter limiter = newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, clock);
      limiter.tryAcquire("a", 10);
      limiter.tryAcquire("a", 1);
      long retryAfter = limiter.tryAcquire("a", 2).retryAfterNanos();
      long before = clock.nanos();
      Decision decision = limiter.acquire("a", 2, MINUTE);
      assertThat(decision.allowed()).as(algorithm.name()).isTrue();
      assertThat(clock.nanos() - before)
          .as(algorithm.name())
          .isEqualTo(retryAfter + decision.waitNanos());
    }
  }

  @Test
  default void acquire_hopeless_answersAtOnceAndTakesNothing() throws InterruptedException {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/min", clock);
    limiter.tryAcquire("a", 10);
    long before = clock.nanos();
    Decision late = limiter.acquire("a", 1, Duration.ofMillis(5_999));
    assertThat(late.allowed()).isFalse();
    assertThat(late.reason()).isEqualTo(Reason.LIMITED);
    assertThat(limiter.acquire("a", 11, MINUTE).reason()).isEqualTo(Reason.NEVER);
    assertThat(clock.nanos()).isEqualTo(before);
    assertThat(limiter.acquire("a", 1, Duration.ofSeconds(6)).allowed()).isTrue();
    assertThat(clock.nanos()).isEqualTo(before + Duration.ofSeconds(6).toNanos());
  }

  @Test
  default void acquire_queuePlaceTooFarAhead_isDeniedAndFreed() throws InterruptedException {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s burst 5", Algorithm.LEAKY_QUEUE, clock);
    limiter.tryAcquire("a", 3);
    Decision late = limiter.acquire("a", 1, Duration.ofMillis(2_999));
    assertThat(late.allowed()).isFalse();
    assertThat(late.retryAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  default void acquire_interrupted_freesItsPlaceInTheQueue() throws InterruptedException {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s burst 5", Algorithm.LEAKY_QUEUE, clock);
    limiter.tryAcquire("a", 3);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> limiter.acquire("a", 1, MINUTE));
    assertThat(Thread.interrupted()).isFalse();
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  default void acquire_interruptedInABucket_takesNothing() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s", clock);
    limiter.tryAcquire("a", 1);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> limiter.acquire("a", 1, MINUTE));
    assertThat(Thread.interrupted()).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(limiter.peek("a").remaining()).isEqualTo(1);
  }

  @Test
  default void tryAcquireAsync_notYet_isCompletedWhenItFits() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/s", clock);
    limiter.tryAcquire("a", 10);
    CompletableFuture<Decision> future =
        limiter.tryAcquireAsync("a", 2, MINUTE).toCompletableFuture();
    clock.advanceNanos(199_999_999);
    assertThat(future).isNotDone();
    clock.advanceNanos(1);
    assertThat(future).isCompletedWithValueMatching(Decision::allowed);
    assertThat(limiter.peek("a").remaining()).isZero();
  }

  @Test
  default void tryAcquireAsync_atOnceOrHopeless_isCompletedAtOnce() {
    Limiter limiter = newLimiter("10/s", new ManualClock());
    assertThat(limiter.tryAcquireAsync("a", 10, MINUTE).toCompletableFuture())
        .isCompletedWithValueMatching(Decision::allowed);
    assertThat(limiter.tryAcquireAsync("a", 10, Duration.ofMillis(999)).toCompletableFuture())
        .isCompletedWithValueMatching(decision -> !decision.allowed());
    assertThat(limiter.tryAcquireAsync("a", 11, MINUTE).toCompletableFuture())
        .isCompletedWithValueMatching(decision -> decision.reason() == Reason.NEVER);
  }

  @Test
  default void tryAcquireAsync_inAQueue_isCompletedAtItsPlace() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s burst 5", Algorithm.LEAKY_QUEUE, clock);
    limiter.tryAcquire("a", 2);
    CompletableFuture<Decision> future =
        limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture();
    clock.advance(Duration.ofMillis(1_999));
    assertThat(future).isNotDone();
    clock.advance(Duration.ofMillis(1));
    assertThat(future).isCompletedWithValueMatching(Decision::allowed);
  }

  @Test
  default void tryAcquireAsync_cancelled_takesNothing() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/s", clock);
    limiter.tryAcquire("a", 10);
    CompletableFuture<Decision> future =
        limiter.tryAcquireAsync("a", 2, MINUTE).toCompletableFuture();
    future.cancel(false);
    clock.advance(Duration.ofSeconds(1));
    assertThat(limiter.peek("a").remaining()).isEqualTo(10);
  }

  @Test
  default void tryAcquireAsync_cancelledInAQueue_freesItsPlaceAtOnce() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s burst 5", Algorithm.LEAKY_QUEUE, clock);
    limiter.tryAcquire("a", 2);
    CompletableFuture<Decision> future =
        limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture();
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(3));
    future.cancel(false);
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(2));
  }
}
