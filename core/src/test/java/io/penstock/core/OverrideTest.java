package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Overrides of single keys that are renewed, replaced and ended, few or as many as there may be.
 */
class OverrideTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final Duration HOUR = Duration.ofHours(1);

  private final AtomicLong now = new AtomicLong(START);

  private MemoryLimiter limiter(String policy) {
    return Limiter.builder().policy(policy).clock(now::get).build();
  }

  private Instant in(Duration time) {
    return Instant.ofEpochSecond(0, now.get()).plus(time);
  }

  private void override(Limiter limiter, String policy) {
    limiter.override("a", Policy.parse(policy), in(HOUR));
  }

  private static long remaining(Limiter limiter) {
    return limiter.peek("a").remaining();
  }

  @Test
  void override_renewed_givesNoFreshLimit() {
    MemoryLimiter limiter = limiter("10/s");
    override(limiter, "10/s; 3/day");
    assertThat(limiter.tryAcquire("a", 3).allowed()).isTrue();
    for (int i = 0; i < 3; i++) {
      now.addAndGet(HOUR.toNanos() - 1);
      override(limiter, "10/s; 3/day");
      assertThat(limiter.tryAcquire("a", 1).allowed()).as("renewed %d times", i + 1).isFalse();
    }
    now.addAndGet(HOUR.toNanos() - 1);
    assertThat(limiter.tryAcquire("a", 1).allowed()).as("until the last end").isFalse();
    now.addAndGet(1);
    assertThat(limiter.tryAcquire("a", 10).allowed()).as("it has ended").isTrue();
  }

  /** An override until midnight, when its own limit is new: by then the policy's holds. */
  @Test
  void deny_untilTheVeryEndOfTheOverride_saysWhatThePolicySaysThen() throws InterruptedException {
    for (String policy : new String[] {"10/day UTC", "10/hour"}) {
      MemoryLimiter limiter = limiter(policy);
      long day = Duration.ofDays(1).toNanos();
      long midnight = now.get() - now.get() % day + day;
      limiter.override("a", Policy.parse("100/day UTC"), Instant.ofEpochSecond(0, midnight));
      limiter.tryAcquire("a", 60);
      assertThat(limiter.tryAcquire("a", 50).reason()).isEqualTo(Reason.NEVER);
      Batch batch = limiter.newBatch(1);
      batch.add("a", 50);
      batch.decide();
      assertThat(batch.retryAfterNanos(0)).isEqualTo(Decision.NEVER);
      assertThat(limiter.acquire("a", 50, Duration.ofDays(2)).reason()).isEqualTo(Reason.NEVER);
    }
  }

  @Test
  void override_replaced_continuesTheLimitsItHad() {
    MemoryLimiter limiter = limiter("10/s");
    override(limiter, "10/s; 30/day");
    limiter.tryAcquire("a", 5);
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    override(limiter, "20/s; 7/hour; 40/day");
    assertThat(remaining(limiter)).as("an hour that is new").isEqualTo(7);
    override(limiter, "40/day");
    assertThat(remaining(limiter)).as("5 of 40, at another place").isEqualTo(35);
    override(limiter, "50/week");
    assertThat(remaining(limiter)).as("another period at the same place").isEqualTo(45);
    override(limiter, "50/week; 10/s");
    limiter.tryAcquire("a", 10);
    override(limiter, "50/week");
    assertThat(remaining(limiter)).isEqualTo(35);
    override(limiter, "50/week; 10/s");
    assertThat(remaining(limiter)).as("the general one counts it meanwhile").isZero();
  }

  @Test
  void override_replaced_endsUnderTheGeneralPolicyWithWhatWasUsed() {
    MemoryLimiter limiter = limiter("100/day; 20/hour");
    limiter.tryAcquire("a", 10);
    override(limiter, "200/day");
    limiter.tryAcquire("a", 50);
    override(limiter, "300/day; 30/hour");
    assertThat(remaining(limiter)).as("the hour waited for the key").isEqualTo(20);
    override(limiter, "300/day");
    limiter.tryAcquire("a", 20);
    limiter.override("a", Policy.parse("1/s"), Instant.EPOCH);
    assertThat(remaining(limiter)).isEqualTo(10);
    limiter.update(Policy.parse("100/day"));
    assertThat(remaining(limiter)).as("10, 50 and 20 of 100").isEqualTo(20);
  }

  @Test
  void override_thatEndsUnderAPolicyChangedSince_keepsWhatWasUsed() {
    MemoryLimiter limiter = limiter("100/week");
    override(limiter, "200/week");
    limiter.tryAcquire("a", 30);
    for (int count = 101; count <= 110; count++) {
      limiter.update(Policy.parse(count + "/week"));
    }
    limiter.override("a", Policy.parse("1/s"), Instant.EPOCH);
    assertThat(remaining(limiter)).isEqualTo(80);
  }

  @Test
  void cancel_ofWhatWasReservedBeforeRenewals_givesBackWhatStillCounts() {
    for (Algorithm algorithm : Algorithm.all()) {
      boolean held = algorithm == Algorithm.CONCURRENCY;
      Policy general = Policy.parse(held ? "90 concurrent lease 1day" : "90/day");
      Policy own = Policy.parse(held ? "10 concurrent lease 1day" : "10/day; 20/week");
      MemoryLimiter limiter =
          Limiter.builder().policy(general.withAlgorithm(algorithm)).clock(now::get).build();
      limiter.tryAcquire("a", algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0);
      limiter.override("a", own.withAlgorithm(algorithm), in(HOUR));
      Reservation reservation = limiter.reserve("a", 4);
      assertThat(remaining(limiter)).as(algorithm.name()).isEqualTo(6);
      for (int i = 0; i < 5; i++) {
        limiter.override("a", own.withAlgorithm(algorithm), in(HOUR));
      }
      reservation.cancel();
      assertThat(remaining(limiter)).as(algorithm.name()).isEqualTo(10);
    }
  }

  @Test
  void cancel_ofWhatWasReservedBeforeAReplacement_givesBackWhatStillCounts() {
    MemoryLimiter limiter = limiter("90/day");
    override(limiter, "10/day; 20/week");
    Reservation reservation = limiter.reserve("a", 4);
    override(limiter, "30/week; 12/day");
    assertThat(remaining(limiter)).isEqualTo(8);
    reservation.cancel();
    assertThat(remaining(limiter)).isEqualTo(12);
    override(limiter, "30/week");
    assertThat(remaining(limiter)).isEqualTo(30);
  }

  /** As a whole: a counter that one override did not read may be read by the next. */
  @Test
  void cancel_ofALimitThatWasLeftOutMeanwhile_givesBackWhatStillCounts() {
    MemoryLimiter limiter = limiter("90/day; 80/week");
    override(limiter, "10/day; 20/week");
    Reservation reservation = limiter.reserve("a", 4);
    override(limiter, "10/day");
    override(limiter, "10/day; 40/week");
    reservation.cancel();
    override(limiter, "40/week");
    assertThat(remaining(limiter)).isEqualTo(40);
  }

  @Test
  void override_asManyAsThereMayBe_canBeEndedAndReplacedAndOneMoreCannotBeMade() {
    MemoryLimiter limiter = limiter("10/s");
    for (int key = 0; key < KeyRules.OVERRIDDEN_LIMITS_MAX; key++) {
      limiter.override("key" + key, Policy.parse("20/s"), Instant.MAX);
    }
    limiter.override("key7", Policy.parse("30/s"), Instant.MAX);
    assertThat(limiter.peek("key7").capacity()).isEqualTo(30);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> override(limiter, "20/s"))
        .withMessage("limits of overridden keys: 2048 (expected: 1..2047)");
    limiter.override("a", Policy.parse("20/s"), Instant.EPOCH);
    limiter.override("key7", Policy.parse("20/s"), Instant.EPOCH);
    assertThat(limiter.peek("key7").capacity()).isEqualTo(10);
    override(limiter, "20/s");
  }

  @Test
  void override_endedByAPolicyThatWouldNotFit_ends() {
    MemoryLimiter limiter =
        Limiter.builder().policy("10/s").clock(now::get).maxBytes(1 << 20).build();
    override(limiter, "20/s");
    Policy tooLong = Policy.parse("1000000/s").withAlgorithm(Algorithm.SLIDING_WINDOW_LOG);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.override("a", tooLong, Instant.MAX));
    limiter.override("a", tooLong, Instant.EPOCH);
    assertThat(limiter.peek("a").capacity()).isEqualTo(10);
  }

  @Test
  void override_untilYearsAwayOfAKeyThatOwesMoreThanThat_tellsAWaitThatIsNotBelowZero() {
    MemoryLimiter limiter = limiter("10/s");
    limiter.reserve("a", 1).commit(Long.MAX_VALUE);
    limiter.override("a", Policy.parse("1/s"), Instant.parse("2262-04-11T00:00:00Z"));
    Decision denied = limiter.tryAcquire("a", 3);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfterNanos()).isEqualTo(Decision.NEVER);
  }

  /** Each that is refused would keep a number, and there are 4,093 of them. */
  @Test
  void override_noRoomForOneMoreKey_isRefusedAndLeavesNothing() {
    MemoryLimiter limiter = limiter("10/s");
    for (int key = 0; key < KeyRules.KEYS_MAX; key++) {
      limiter.block("key" + key, Instant.MAX);
    }
    for (int i = 0; i < 5_000; i++) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> limiter.override("a", Policy.parse("20/s"), Instant.MAX));
    }
    limiter.update(Policy.parse("11/s"));
    limiter.override("key1", Policy.parse("20/s"), Instant.MAX);
    limiter.block("key1", Instant.EPOCH);
    assertThat(limiter.peek("key1").capacity()).isEqualTo(20);
  }

  @Test
  void close_afterVeryManyResetsOfOtherKeys_freesTheSlot() {
    MemoryLimiter limiter = limiter("1 concurrent lease 1hour");
    Reservation held = limiter.reserve("a", 1);
    for (int i = 0; i <= KeyHistory.KEYS_MAX; i++) {
      limiter.reset("k" + i);
    }
    assertThat(held.renew()).isTrue();
    held.close();
    assertThat(limiter.tryAcquire("a").allowed()).isTrue();
  }

  @Test
  void close_afterVeryManyOverridesOfOtherKeys_freesTheSlot() {
    MemoryLimiter limiter = limiter("1 concurrent lease 1hour");
    Reservation held = limiter.reserve("a", 1);
    overrideOthers(limiter, "2 concurrent lease 1hour");
    held.close();
    assertThat(limiter.tryAcquire("a").allowed()).isTrue();
  }

  private void overrideOthers(Limiter limiter, String policy) {
    Policy own = Policy.parse(policy);
    for (int i = 0; i <= KeyHistory.KEYS_MAX; i++) {
      limiter.override("k" + i, own, in(Duration.ofNanos(1)));
      now.addAndGet(1);
    }
  }

  /** What nobody can follow might be what others have used. */
  @Test
  void cancel_ofARateAfterVeryManyResetsOrOverridesOfOtherKeys_givesNothingBack() {
    MemoryLimiter limiter = limiter("10/day");
    Reservation first = limiter.reserve("a", 2);
    for (int i = 0; i < KeyHistory.KEYS_MAX; i++) {
      limiter.reset("k" + i);
    }
    first.cancel();
    assertThat(remaining(limiter)).as("as many as are remembered").isEqualTo(10);
    Reservation second = limiter.reserve("a", 2);
    for (int i = 0; i <= KeyHistory.KEYS_MAX; i++) {
      limiter.reset("k" + i);
    }
    second.cancel();
    assertThat(remaining(limiter)).isEqualTo(8);
    Reservation third = limiter.reserve("a", 2);
    overrideOthers(limiter, "20/day");
    third.cancel();
    assertThat(remaining(limiter)).isEqualTo(6);
  }

  @Test
  void close_ofASlotFromBeforeAResetOfItsKey_freesNobodyElsesSlot() {
    MemoryLimiter limiter = limiter("1 concurrent lease 1hour");
    Reservation before = limiter.reserve("a", 1);
    limiter.reset("a");
    assertThat(limiter.reserve("a", 1).decision().allowed()).isTrue();
    before.close();
    assertThat(limiter.tryAcquire("a").allowed()).isFalse();
  }
}
