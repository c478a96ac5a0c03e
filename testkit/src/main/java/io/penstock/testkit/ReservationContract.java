package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.core.Algorithm;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import io.penstock.core.Reservation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Units taken before their number is known, and slots that are held. */
interface ReservationContract extends LimiterSource {
  @Test
  default void commit_less_givesBackTheDifference() {
    Limiter limiter = newLimiter("10/s", new ManualClock());
    Reservation reservation = limiter.reserve("a", 8);
    assertThat(reservation.allowed()).isTrue();
    assertThat(limiter.peek("a").remaining()).isEqualTo(2);
    reservation.commit(3);
    assertThat(limiter.peek("a").remaining()).isEqualTo(7);
  }

  @Test
  default void commit_more_takesTheDifferenceAsADebt() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/s", clock);
    limiter.reserve("a", 8).commit(15);
    assertThat(limiter.peek("a").remaining()).isZero();
    assertThat(limiter.tryAcquire("a", 1).retryAfter()).isEqualTo(Duration.ofMillis(600));
    clock.advance(Duration.ofMillis(600));
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
  }

  @Test
  default void commit_theEstimate_changesNothing() {
    Limiter limiter = newLimiter("10/s", new ManualClock());
    limiter.reserve("a", 8).commit(8);
    assertThat(limiter.peek("a").remaining()).isEqualTo(2);
  }

  @Test
  default void cancelOrClose_uncommitted_givesTheEstimateBack() {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter =
          newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, new ManualClock());
      limiter.reserve("a", 8).cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(10);
      try (Reservation reservation = limiter.reserve("a", 8)) {
        assertThat(reservation.allowed()).isTrue();
      }
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(10);
    }
  }

  @Test
  default void settle_twice_countsOnce() {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter =
          newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, new ManualClock());
      limiter.tryAcquire("a", 1);
      Reservation reservation = limiter.reserve("a", 4);
      reservation.cancel();
      long left = limiter.peek("a").remaining();
      reservation.cancel();
      reservation.close();
      reservation.commit(2);
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
    }
  }

  @Test
  default void close_committed_keepsWhatWasCommitted() {
    Limiter limiter = newLimiter("10/s", new ManualClock());
    try (Reservation reservation = limiter.reserve("a", 8)) {
      reservation.commit(6);
    }
    assertThat(limiter.peek("a").remaining()).isEqualTo(4);
  }

  @Test
  default void reserve_denied_takesNothingAndCannotBeCommitted() {
    Limiter limiter = newLimiter("10/s", new ManualClock());
    limiter.tryAcquire("a", 5);
    try (Reservation denied = limiter.reserve("a", 8)) {
      assertThat(denied.allowed()).isFalse();
      assertThat(denied.decision().reason()).isEqualTo(Reason.LIMITED);
      assertThatIllegalStateException().isThrownBy(() -> denied.commit(1));
    }
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
  }

  /** What has come back by itself is not given back once more: the bound would be lifted by it. */
  @Test
  default void cancel_later_givesBackOnlyWhatHasNotComeBackByItself() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = new ManualClock();
      Limiter limiter = newLimiter(LimiterSource.tenInTenSeconds(algorithm), algorithm, clock);
      Reservation reservation = limiter.reserve("a", 5);
      clock.advance(Duration.ofSeconds(25));
      limiter.tryAcquire("a", 10);
      long left = limiter.peek("a").remaining();
      reservation.cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
    }
  }

  @Test
  default void close_heldSlot_freesItAtOnce() {
    Limiter limiter =
        newLimiter("2 concurrent lease 1min", Algorithm.CONCURRENCY, new ManualClock());
    Reservation first = limiter.reserve("a", 1);
    Reservation second = limiter.reserve("a", 1);
    assertThat(limiter.reserve("a", 1).allowed()).isFalse();
    first.close();
    first.close();
    assertThat(limiter.peek("a").remaining()).isEqualTo(1);
    assertThat(limiter.reserve("a", 1).allowed()).isTrue();
    second.close();
    assertThat(limiter.peek("a").remaining()).isEqualTo(1);
  }

  @Test
  default void commit_heldSlotAndRate_freesTheSlotAndSettlesTheRate() {
    Limiter limiter = newLimiter("2 concurrent lease 30s; 100/min", new ManualClock());
    for (long real = 0; real <= 3; real++) {
      long left = limiter.peek("a").remaining();
      try (Reservation reservation = limiter.reserve("a", 1)) {
        assertThat(limiter.peek("a").remaining()).isEqualTo(left - 1);
        reservation.commit(real);
        assertThat(limiter.peek("a").remaining()).as("commit of %d", real).isEqualTo(2);
      }
    }
    limiter.update(Policy.parse("100/min"));
    assertThat(limiter.peek("a").remaining()).isEqualTo(100 - 0 - 1 - 2 - 3);
  }

  @Test
  default void lease_notClosed_endsByItself() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1 concurrent lease 1min", Algorithm.CONCURRENCY, clock);
    Reservation crashed = limiter.reserve("a", 1);
    clock.advance(Duration.ofMinutes(1));
    Reservation next = limiter.reserve("a", 1);
    assertThat(next.allowed()).isTrue();
    crashed.close();
    assertThat(limiter.peek("a").remaining()).isZero();
    next.close();
    assertThat(limiter.peek("a").remaining()).isEqualTo(1);
  }

  @Test
  default void renew_heldSlot_startsItsLeaseAnew() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1 concurrent lease 1min", Algorithm.CONCURRENCY, clock);
    Reservation held = limiter.reserve("a", 1);
    clock.advance(Duration.ofSeconds(50));
    assertThat(held.renew()).isTrue();
    clock.advance(Duration.ofSeconds(59));
    assertThat(limiter.reserve("a", 1).allowed()).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(held.renew()).isFalse();
    assertThat(limiter.reserve("a", 1).allowed()).isTrue();
  }

  @Test
  default void renew_oneOfSeveral_endsLastAndTheOthersWhenTheyWould() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("3 concurrent lease 1min", Algorithm.CONCURRENCY, clock);
    Reservation first = limiter.reserve("a", 1);
    clock.advance(Duration.ofSeconds(10));
    Reservation second = limiter.reserve("a", 1);
    clock.advance(Duration.ofSeconds(10));
    assertThat(limiter.reserve("a", 1).allowed()).isTrue();
    assertThat(first.renew()).isTrue();
    assertThat(limiter.reserve("a", 1).decision().retryAfter()).isEqualTo(Duration.ofSeconds(50));
    assertThat(limiter.reserve("a", 3).decision().retryAfter()).isEqualTo(Duration.ofMinutes(1));
    second.close();
    assertThat(limiter.reserve("a", 2).decision().retryAfter()).isEqualTo(Duration.ofMinutes(1));
    first.close();
    assertThat(limiter.peek("a").remaining()).isEqualTo(2);
  }
}
