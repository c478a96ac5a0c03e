package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is changed while it runs: the policy, and what holds for a single key. */
interface PolicyContract extends LimiterSource {
  /** Half past noon, in the middle of every window used here. */
  Duration MIDDLE = Duration.ofMinutes(12 * 60 + 30);

  private static String per(String count, String period, Algorithm algorithm) {
    return count + (algorithm == Algorithm.CONCURRENCY ? " concurrent lease " : "/") + period;
  }

  private static Policy policy(String limits, Algorithm algorithm) {
    return Policy.parse(limits).withAlgorithm(algorithm);
  }

  @Test
  default void update_countOrPeriod_keepsWhatWasUsed() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = new ManualClock();
      clock.advance(MIDDLE);
      Limiter limiter = newLimiter(per("10", "day", algorithm), algorithm, clock);
      assertThat(limiter.tryAcquire("a", 8).allowed()).isTrue();
      long running = algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0;
      limiter.update(policy(per("12", "day", algorithm), algorithm));
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(4 + running);
      limiter.update(policy(per("10", "hour", algorithm), algorithm));
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(2 + running);
    }
  }

  @Test
  default void update_loweredAndRaisedAgain_forgetsNothing() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = new ManualClock();
      clock.advance(MIDDLE);
      Limiter limiter = newLimiter(per("10", "day", algorithm), algorithm, clock);
      limiter.tryAcquire("a", 8);
      long left = limiter.peek("a").remaining();
      limiter.update(policy(per("3", "day", algorithm), algorithm));
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isZero();
      limiter.update(policy(per("10", "day", algorithm), algorithm));
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
    }
  }

  @Test
  default void update_debtBeyondTheNewCapacity_isToldByRetryAfter() {
    Transcript at = transcript("10/s", Algorithm.GCRA);
    at.at(0).take(10).allowed();
    at.update("2/s").at(0).take(1).denied("4500ms");
    at.at(4_499).take(1).denied("1ms");
    at.at(4_500).take(1).allowed();
  }

  @Test
  default void update_algorithm_givesNoFreshBurst() {
    for (Algorithm from : Algorithm.all()) {
      for (Algorithm to : Algorithm.all()) {
        ManualClock clock = new ManualClock();
        clock.advance(MIDDLE);
        Limiter limiter = newLimiter(per("10", "day", from), from, clock);
        limiter.tryAcquire("a", 10);
        limiter.update(policy(per("10", "day", to), to));
        assertThat(limiter.peek("a").remaining())
            .as("%s to %s", from.name(), to.name())
            .isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  default void update_untouchedKey_drainsAtTheRatesThatWereInForce() {
    Transcript at = transcript("10/s", Algorithm.GCRA);
    at.at(0).take(10).allowed();
    at.at(500).update("1/s burst 10").at(2_500).peek().left(7);
  }

  @Test
  default void update_anyPolicy_countsTheVersionUp() {
    Limiter limiter = newLimiter("5/s", new ManualClock());
    assertThat(limiter.policyVersion()).isEqualTo(1);
    Policy next = Policy.parse("7/s; 100/hour");
    limiter.update(next);
    assertThat(limiter.policyVersion()).isEqualTo(2);
    assertThat(limiter.policy()).isEqualTo(next);
    assertThat(limiter.tryAcquire("a").policyVersion()).isEqualTo(2);
  }

  @Test
  default void update_limitsInAnotherOrder_mixesNothingUp() {
    Limiter limiter = newLimiter("10/s; 1000/day", new ManualClock());
    limiter.tryAcquire("a", 10);
    limiter.update(Policy.parse("1000/day; 20/s"));
    assertThat(limiter.peek("a").remaining()).isEqualTo(10);
    limiter.update(Policy.parse("1000/day"));
    assertThat(limiter.peek("a").remaining()).isEqualTo(990);
  }

  @Test
  default void reset_usedKey_isFullAgain() {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter =
          newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, new ManualClock());
      limiter.tryAcquire("a", 10);
      limiter.tryAcquire("b", 10);
      limiter.reset("a");
      assertThat(limiter.tryAcquire("a", 10).allowed()).as(algorithm.name()).isTrue();
      assertThat(limiter.tryAcquire("b", 10).allowed()).as(algorithm.name()).isFalse();
    }
  }

  @Test
  default void block_untilAnInstant_deniesAndTakesNothing() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("5/s", clock);
    limiter.block("a", clock.instant().plusSeconds(10));
    Decision decision = limiter.tryAcquire("a", 1);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.reason()).isEqualTo(Reason.BLOCKED);
    assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(limiter.isAllowed("a")).isFalse();
    assertThat(limiter.isAllowed("b")).isTrue();
    clock.advance(Duration.ofSeconds(10));
    assertThat(limiter.tryAcquire("a", 5).allowed()).isTrue();
  }

  @Test
  default void block_usedUpKey_saysTheLongerOfBothWaits() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = new ManualClock();
      Limiter limiter = newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, clock);
      while (limiter.isAllowed("a")) {}
      long retryAfter = limiter.tryAcquire("a", 5).retryAfterNanos();
      limiter.block("a", clock.instant().plusMillis(1));
      Decision blocked = limiter.tryAcquire("a", 5);
      assertThat(blocked.reason()).as(algorithm.name()).isEqualTo(Reason.BLOCKED);
      assertThat(blocked.retryAfterNanos()).as(algorithm.name()).isEqualTo(retryAfter);
      assertThat(limiter.tryAcquire("a", 12).retryAfterNanos()).isEqualTo(Decision.NEVER);
      clock.advanceNanos(retryAfter);
      assertThat(limiter.tryAcquire("a", 5).allowed()).as(algorithm.name()).isTrue();
    }
  }

  @Test
  default void block_untilThePast_endsABlock() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("5/s", clock);
    limiter.block("a", clock.instant().plusSeconds(10));
    limiter.block("a", clock.instant().minusSeconds(1));
    assertThat(limiter.tryAcquire("a", 5).allowed()).isTrue();
  }

  @Test
  default void override_untilAnInstant_holdsForThatKeyAndKeepsWhatWasUsed() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/day", clock);
    limiter.tryAcquire("a", 8);
    limiter.override("a", Policy.parse("100/day"), clock.instant().plusSeconds(60));
    assertThat(limiter.tryAcquire("a", 90).remaining()).isEqualTo(2);
    assertThat(limiter.tryAcquire("b", 11).reason()).isEqualTo(Reason.NEVER);
    clock.advance(Duration.ofSeconds(60));
    assertThat(limiter.peek("a").remaining()).isZero();
    assertThat(limiter.peek("a").capacity()).isEqualTo(10);
  }

  @Test
  default void override_thenUpdate_keepsTheVersionItWasMadeUnder() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/day", clock);
    limiter.update(Policy.parse("11/day"));
    limiter.override("a", Policy.parse("100/day"), clock.instant().plusSeconds(60));
    limiter.update(Policy.parse("12/day"));
    assertThat(limiter.peek("a").policyVersion()).isEqualTo(2);
    assertThat(limiter.peek("b").policyVersion()).isEqualTo(3);
    clock.advance(Duration.ofSeconds(60));
    assertThat(limiter.peek("a").policyVersion()).isEqualTo(3);
  }

  /** The key's own limit would let it wait for hours; the general one will not. */
  @Test
  default void override_thatEndsBeforeTheWait_tellsTheWaitUnderTheGeneralPolicy() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("100/min", clock);
    limiter.override("a", Policy.parse("10/hour"), clock.instant().plusSeconds(60));
    limiter.tryAcquire("a", 10);
    Decision denied = limiter.tryAcquire("a", 5);
    assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(60));
    clock.advance(denied.retryAfter().minusNanos(1));
    assertThat(limiter.tryAcquire("a", 5).allowed()).isFalse();
    clock.advance(Duration.ofNanos(1));
    assertThat(limiter.tryAcquire("a", 5).allowed()).isTrue();
  }

  /** 99 units are used when a limit of ten a day takes over: room for two is days away. */
  @Test
  default void override_thatEndsBeforeTheWait_addsWhatTheGeneralPolicyAsks() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/day", clock);
    limiter.override("a", Policy.parse("100/hour"), clock.instant().plusSeconds(36));
    limiter.tryAcquire("a", 100);
    Decision denied = limiter.tryAcquire("a", 2);
    clock.advance(denied.retryAfter().minusNanos(1));
    assertThat(limiter.tryAcquire("a", 2).allowed()).isFalse();
    clock.advance(Duration.ofNanos(1));
    assertThat(limiter.tryAcquire("a", 2).allowed()).isTrue();
  }

  /** When the block ends the override is over, and what was used counts under ten a day. */
  @Test
  default void block_beyondTheEndOfAnOverride_tellsWhatTheGeneralPolicyAsksThen() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/day", clock);
    limiter.override("a", Policy.parse("1000/day"), clock.instant().plusSeconds(600));
    limiter.tryAcquire("a", 500);
    limiter.block("a", clock.instant().plusSeconds(1_200));
    Decision blocked = limiter.tryAcquire("a", 1);
    assertThat(blocked.reason()).isEqualTo(Reason.BLOCKED);
    clock.advance(blocked.retryAfter().minusNanos(1));
    assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
    clock.advance(Duration.ofNanos(1));
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
  }

  /**
   * The key counted five per minute by itself: a limit that everybody gets later starts at zero.
   */
  @Test
  default void override_withOneMoreLimit_countsItApartFromThoseOfTheNextPolicy() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("100/day", clock);
    limiter.override("a", Policy.parse("100/day; 5/min"), clock.instant().plusSeconds(1));
    limiter.tryAcquire("a", 5);
    limiter.update(Policy.parse("100/day; 7/hour"));
    clock.advance(Duration.ofSeconds(1));
    assertThat(limiter.peek("a").remaining()).isEqualTo(7);
  }

  @Test
  default void override_untilThePast_endsIt() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/day", clock);
    limiter.override("a", Policy.parse("100/day"), clock.instant().plusSeconds(60));
    limiter.override("a", Policy.parse("100/day"), clock.instant());
    assertThat(limiter.peek("a").capacity()).isEqualTo(10);
  }
}
