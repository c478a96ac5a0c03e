package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.Reason;
import io.penstock.core.Reservation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Taking, looking and giving back: what is the same whatever the algorithm. */
interface TakingContract extends LimiterSource {
  @Test
  default void tryAcquire_untilUsedUp_isAllowedAndThenDenied() {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter =
          newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, new ManualClock());
      int allowed = 0;
      for (int i = 0; i < 30; i++) {
        allowed += limiter.isAllowed("a") ? 1 : 0;
      }
      int capacity = algorithm == Algorithm.LEAKY_QUEUE ? 11 : 10;
      assertThat(allowed).as(algorithm.name()).isEqualTo(capacity);
    }
  }

  @Test
  default void tryAcquire_otherKey_isCountedApart() {
    Limiter limiter = newLimiter("5/s", new ManualClock());
    assertThat(limiter.tryAcquire("a", 5).allowed()).isTrue();
    assertThat(limiter.isAllowed("a")).isFalse();
    assertThat(limiter.tryAcquire("b", 5).allowed()).isTrue();
    assertThat(limiter.tryAcquire("", 5).allowed()).isTrue();
    assertThat(limiter.tryAcquire("a\u0000", 5).allowed()).isTrue();
    assertThat(limiter.tryAcquire("\u00e9", 5).allowed()).isTrue();
    assertThat(limiter.tryAcquire("e\u0301", 5).allowed()).isTrue();
  }

  @Test
  default void tryAcquire_weightedCost_takesAllOfItOrNothing() {
    for (Algorithm algorithm : Algorithm.all()) {
      Transcript at = transcript(LimiterSource.tenInTenSeconds(algorithm), algorithm);
      at.take(7).allowed();
      long left = at.peek().remaining();
      assertThat(at.take(left + 1).isAllowed()).as(algorithm.name()).isFalse();
      at.peek().left(left);
      at.take(left).allowed().left(0);
    }
  }

  @Test
  default void tryAcquire_denied_changesNothing() {
    for (Algorithm algorithm : Algorithm.all()) {
      Transcript at = transcript(LimiterSource.tenInTenSeconds(algorithm), algorithm);
      at.take(8).allowed();
      long left = at.peek().remaining();
      for (int i = 0; i < 100; i++) {
        assertThat(at.take(5).isAllowed()).as(algorithm.name()).isFalse();
      }
      at.peek().allowed().left(left);
    }
  }

  @Test
  default void tryAcquire_costAboveCapacity_isNever() {
    for (Algorithm algorithm : Algorithm.all()) {
      Transcript at = transcript(LimiterSource.tenInTenSeconds(algorithm), algorithm);
      at.take(12).never().left(10);
      at.take(Long.MAX_VALUE).never().left(10);
      at.at(Duration.ofDays(900).toMillis()).take(12).never().left(10);
    }
  }

  @Test
  default void tryAcquire_denied_fitsAtRetryAfterAndNotOneNanosecondEarlier() {
    for (Algorithm algorithm : Algorithm.all()) {
      for (long cost = 1; cost <= 10; cost++) {
        ManualClock clock = new ManualClock();
        clock.advanceNanos(1_234_567_891);
        Limiter limiter = newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, clock);
        limiter.tryAcquire("a", 10);
        limiter.tryAcquire("a", 1);
        Decision denied = limiter.tryAcquire("a", cost);
        assertThat(denied.reason()).as(algorithm.name()).isEqualTo(Reason.LIMITED);
        clock.advanceNanos(denied.retryAfterNanos() - 1);
        assertThat(limiter.tryAcquire("a", cost).allowed()).as(algorithm.name()).isFalse();
        clock.advanceNanos(1);
        assertThat(limiter.tryAcquire("a", cost).allowed()).as(algorithm.name()).isTrue();
      }
    }
  }

  @Test
  default void peek_anyTime_takesNothing() {
    for (Algorithm algorithm : Algorithm.all()) {
      Transcript at = transcript(LimiterSource.tenInTenSeconds(algorithm), algorithm);
      for (int i = 0; i < 50; i++) {
        at.peek().allowed().left(10).fullAfter("0s");
      }
      at.take(10).allowed();
      long left = at.peek().allowed().remaining();
      at.peek().allowed().left(left);
    }
  }

  @Test
  default void refund_moreThanUsed_neverLiftsAboveFull() {
    for (Algorithm algorithm : Algorithm.all()) {
      Transcript at = transcript(LimiterSource.tenInTenSeconds(algorithm), algorithm);
      at.refund(5).allowed().left(10);
      at.take(10).allowed();
      at.refund(4).allowed();
      long given = algorithm == Algorithm.LEAKY_QUEUE ? 5 : 4;
      at.peek().left(given);
      at.refund(Long.MAX_VALUE).allowed().left(10);
      at.take(12).never();
      at.take(10).allowed();
    }
  }

  @Test
  default void refund_zeroOrLess_isRefused() {
    Limiter limiter = newLimiter("5/s", new ManualClock());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.refund("a", 0))
        .withMessage("cost: 0 (expected: >= 1)");
  }

  @Test
  default void tryAcquire_negativeCost_isARefund() {
    Limiter limiter = newLimiter("5/s", new ManualClock());
    limiter.tryAcquire("a", 5);
    assertThat(limiter.tryAcquire("a", -3).remaining()).isEqualTo(3);
    assertThat(limiter.tryAcquire("a", Long.MIN_VALUE).remaining()).isEqualTo(5);
    assertThat(limiter.tryAcquire("a", Long.MIN_VALUE + 1).remaining()).isEqualTo(5);
  }

  @Test
  default void negativeCost_everyEntryPoint_isARefund() throws InterruptedException {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter =
          newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, new ManualClock());
      limiter.tryAcquire("a", 10);
      long left = limiter.peek("a").remaining();
      assertThat(limiter.acquire("a", -1, Duration.ZERO).remaining())
          .as(algorithm.name())
          .isEqualTo(left + 1);
      assertThat(limiter.tryAcquireAsync("a", -1, Duration.ZERO).toCompletableFuture())
          .isCompletedWithValueMatching(Decision::allowed);
      Reservation given = limiter.reserve("a", -1);
      assertThat(given.allowed()).isTrue();
      given.cancel();
      limiter.reserve("a", -1).commit(1);
      assertThat(Limiter.tryAcquireAll(limiter.check("a", -1)).allowed()).isTrue();
      assertThat(limiter.peek("a").remaining())
          .as(algorithm.name())
          .isEqualTo(left + 5 - held(algorithm));
    }
  }

  /** What a commit of one unit takes: a held slot is over by then. */
  private static long held(Algorithm algorithm) {
    return algorithm == Algorithm.CONCURRENCY ? 0 : 1;
  }

  @Test
  default void decision_allowed_saysWhatIsLeftAndOfWhat() {
    Limiter limiter = newLimiter("100/s burst 200", new ManualClock());
    Decision decision = limiter.tryAcquire("a", 50);
    assertThat(decision.limit()).isEqualTo(Limit.parse("100/s burst 200"));
    assertThat(decision.capacity()).isEqualTo(200);
    assertThat(decision.remaining()).isEqualTo(150);
    assertThat(decision.resetAfter()).isEqualTo(Duration.ofMillis(500));
    assertThat(decision.waitNanos()).isZero();
    assertThat(decision.policyVersion()).isEqualTo(1);
    assertThat(decision.parts()).isEmpty();
  }

  @Test
  default void tryAcquire_clockStepsBack_grantsNothingTwice() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("5/s", clock);
    clock.advance(Duration.ofHours(1));
    assertThat(limiter.tryAcquire("a", 5).allowed()).isTrue();
    clock.set(clock.instant().minusSeconds(3_600));
    assertThat(limiter.isAllowed("a")).isFalse();
    clock.advance(Duration.ofHours(1));
    assertThat(limiter.isAllowed("a")).isFalse();
  }
}
