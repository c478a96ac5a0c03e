package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Reason;
import io.penstock.core.Reservation;
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
    Decision before = limiter.peek("a");
    Decision late = limiter.acquire("a", 1, Duration.ofMillis(2_999));
    assertThat(late.allowed()).isFalse();
    assertThat(late.remaining()).isEqualTo(before.remaining());
    assertThat(late.resetAfter()).isEqualTo(before.resetAfter());
    assertThat(late.retryAfter())
        .as("the same wait is enough then")
        .isEqualTo(Duration.ofMillis(1));
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

  @Test
  default void tryAcquireAsync_endedInAnyOtherWay_freesItsPlaceAtOnce() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s burst 5", Algorithm.LEAKY_QUEUE, clock);
    Decision first = limiter.tryAcquire("a", 2);
    CompletableFuture<Decision> failed =
        limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture();
    failed.completeExceptionally(new IllegalStateException("enough"));
    CompletableFuture<Decision> answered =
        limiter.tryAcquireAsync("a", 1, MINUTE).toCompletableFuture();
    answered.complete(first);
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(2));
    clock.advance(Duration.ofSeconds(2));
    assertThat(limiter.tryAcquire("a").waitTime()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  default void reserveWaiting_notYet_waitsAndGivesAHandle() throws InterruptedException {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = new ManualClock();
      Limiter limiter = newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, clock);
      while (limiter.isAllowed("a")) {}
      long retryAfter = limiter.tryAcquire("a", 1).retryAfterNanos();
      long before = clock.nanos();
      try (Reservation held = limiter.reserve("a", 1, MINUTE)) {
        assertThat(held.allowed()).as(algorithm.name()).isTrue();
        assertThat(clock.nanos() - before)
            .as(algorithm.name())
            .isEqualTo(retryAfter + held.decision().waitNanos());
      }
      clock.advance(MINUTE);
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(10);
    }
  }

  @Test
  default void reserveWaiting_heldSlot_isFreedByClosing() throws InterruptedException {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1 concurrent lease 30s", Algorithm.CONCURRENCY, clock);
    Reservation crashed = limiter.reserve("a", 1);
    assertThat(crashed.allowed()).isTrue();
    try (Reservation slot = limiter.reserve("a", 1, MINUTE)) {
      assertThat(slot.allowed()).isTrue();
      assertThat(limiter.peek("a").remaining()).isZero();
      Reservation late = limiter.reserve("a", 1, Duration.ofSeconds(29));
      assertThat(late.decision().reason()).isEqualTo(Reason.LIMITED);
      assertThatIllegalStateException().isThrownBy(() -> late.commit(1));
      late.close();
    }
    assertThat(limiter.peek("a").remaining()).isEqualTo(1);
  }

  @Test
  default void reserveWaiting_interrupted_takesNothing() throws InterruptedException {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = new ManualClock();
      Limiter limiter = newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, clock);
      limiter.tryAcquire("a", 10);
      long left = limiter.peek("a").remaining();
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedException.class)
          .as(algorithm.name())
          .isThrownBy(() -> limiter.reserve("a", 1, MINUTE));
      assertThat(Thread.interrupted()).isFalse();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
    }
  }
}
