package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reservation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Reservations that are settled after the policy has changed. */
interface SettlingContract extends LimiterSource {
  private static Policy perDay(long count, Algorithm algorithm) {
    boolean held = algorithm == Algorithm.CONCURRENCY;
    return Policy.parse(count + (held ? " concurrent lease day" : "/day")).withAlgorithm(algorithm);
  }

  private static ManualClock halfPastEight() {
    ManualClock clock = new ManualClock();
    clock.advance(Duration.ofMinutes(8 * 60 + 30));
    return clock;
  }

  @Test
  default void cancel_afterAChange_givesBackWhatStillCounts() {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter = newLimiter(perDay(4_000, algorithm), halfPastEight());
      Reservation reservation = limiter.reserve("a", 4_000);
      limiter.update(perDay(4_001, algorithm));
      reservation.cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(4_001);
    }
  }

  /** What a reset has forgotten cannot be given back: what is used now is somebody else's. */
  @Test
  default void cancel_afterAReset_givesNothingBack() {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter = newLimiter(perDay(100, algorithm), halfPastEight());
      Reservation reservation = limiter.reserve("a", 60);
      limiter.reset("a");
      limiter.tryAcquire("a", 60);
      long left = limiter.peek("a").remaining();
      reservation.cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
    }
  }

  @Test
  default void cancel_reservedAfterAReset_givesBackWhatItTook() {
    Limiter limiter = newLimiter("10/day", new ManualClock());
    limiter.reset("a");
    limiter.reserve("a", 5).close();
    assertThat(limiter.peek("a").remaining()).isEqualTo(10);
  }

  @Test
  default void cancel_afterResetsOfManyOtherKeys_givesBackWhatItTook() {
    Limiter limiter = newLimiter("10/day", new ManualClock());
    Reservation reservation = limiter.reserve("a", 5);
    for (int i = 0; i < 5_000; i++) {
      limiter.reset("other" + i);
    }
    reservation.cancel();
    assertThat(limiter.peek("a").remaining()).isEqualTo(10);
  }

  @Test
  default void commit_lessAfterAChange_givesBackTheDifference() {
    for (Algorithm algorithm : Algorithm.all()) {
      Limiter limiter = newLimiter(perDay(4_000, algorithm), halfPastEight());
      Reservation reservation = limiter.reserve("a", 4_000);
      limiter.update(perDay(8_000, algorithm));
      reservation.commit(10);
      long running = algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0;
      long stays = algorithm == Algorithm.CONCURRENCY ? 0 : 10 - running;
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(8_000 - stays);
    }
  }

  /** Who keeps its first place still runs there, and nobody else does. */
  @Test
  default void commit_lessInAQueue_freesTheLastPlaces() {
    Limiter limiter = newLimiter("1/s burst 9", Algorithm.LEAKY_QUEUE, new ManualClock());
    limiter.tryAcquire("a", 1);
    Reservation four = limiter.reserve("a", 4);
    assertThat(limiter.tryAcquire("a", 1).waitTime()).isEqualTo(Duration.ofSeconds(5));
    four.commit(1);
    assertThat(limiter.tryAcquire("a", 1).waitTime()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  default void cancel_afterItsWindowHasEnded_givesNothingBackUnderTheNextPolicy() {
    ManualClock clock = halfPastEight();
    Limiter limiter = newLimiter("10/hour", Algorithm.FIXED_WINDOW, clock);
    Reservation reservation = limiter.reserve("a", 5);
    clock.advance(Duration.ofHours(1));
    limiter.update(perDay(10, Algorithm.FIXED_WINDOW));
    assertThat(limiter.tryAcquire("a", 5).remaining()).isEqualTo(5);
    reservation.cancel();
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
  }

  /** Leases may have been renewed meanwhile, and are not followed. */
  @Test
  default void cancel_afterAChangeOfAlgorithm_givesBackWhatStillCounts() {
    for (Algorithm from : Algorithm.all()) {
      for (Algorithm to : Algorithm.all()) {
        if (from != Algorithm.CONCURRENCY) {
          Limiter limiter = newLimiter(perDay(10, from), halfPastEight());
          limiter.tryAcquire("a", 1);
          Reservation reservation = limiter.reserve("a", 8);
          limiter.update(perDay(10, to));
          limiter.tryAcquire("a", 1);
          reservation.cancel();
          long running = to == Algorithm.LEAKY_QUEUE ? 1 : 0;
          assertThat(limiter.peek("a").remaining())
              .as(from.name() + " to " + to.name())
              .isEqualTo(8 + running);
        }
      }
    }
  }

  /** What others took, and what is left of the queue, stays where it is. */
  @Test
  default void cancel_severalAfterAChangeToAQueue_freesNoPlaceTwice() {
    Limiter limiter = newLimiter("1/s burst 9", Algorithm.GCRA, new ManualClock());
    Reservation first = limiter.reserve("a", 3);
    Reservation second = limiter.reserve("a", 3);
    limiter.tryAcquire("a", 1);
    limiter.update(Policy.parse("1/s burst 9").withAlgorithm(Algorithm.LEAKY_QUEUE));
    first.cancel();
    second.cancel();
    for (int place : new int[] {0, 1, 2, 3, 4, 5, 7}) {
      Duration wait = limiter.tryAcquire("a", 1).waitTime();
      assertThat(wait).isEqualTo(Duration.ofSeconds(place));
    }
  }

  @Test
  default void cancel_throughAnOverrideAndItsEnd_givesBackWhatStillCounts() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = halfPastEight();
      Limiter limiter = newLimiter(perDay(10, algorithm), clock);
      Reservation before = limiter.reserve("a", 4);
      limiter.override("a", perDay(20, algorithm), clock.instant().plusSeconds(1));
      Reservation within = limiter.reserve("a", 6);
      before.cancel();
      long running = algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0;
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(14 + running);
      clock.advance(Duration.ofSeconds(1));
      within.cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(10);
    }
  }

  /** Much may happen in one instant: who reserved after all of it knows what became of it. */
  @Test
  default void settle_reservedAfterTwoOverridesOfOneInstant_givesBackWhatIsNotUsed() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = halfPastEight();
      Limiter limiter = newLimiter(perDay(10, algorithm), clock);
      limiter.tryAcquire("a", algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0);
      limiter.override("a", perDay(20, algorithm), clock.instant().plusSeconds(1));
      limiter.override("a", perDay(30, algorithm), clock.instant().plusSeconds(1));
      limiter.reserve("a", 4).cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(30);
      limiter.reserve("a", 4).commit(1);
      long stays = algorithm == Algorithm.CONCURRENCY ? 0 : 1;
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(30 - stays);
    }
  }

  @Test
  default void cancel_reservedBetweenTwoOverridesOfOneInstant_givesBackWhatStillCounts() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = halfPastEight();
      Limiter limiter = newLimiter(perDay(10, algorithm), clock);
      limiter.tryAcquire("a", algorithm == Algorithm.LEAKY_QUEUE ? 1 : 0);
      limiter.override("a", perDay(20, algorithm), clock.instant().plusSeconds(1));
      Reservation first = limiter.reserve("a", 4);
      limiter.override("a", perDay(10, algorithm), clock.instant());
      Reservation between = limiter.reserve("a", 5);
      limiter.override("a", perDay(30, algorithm), clock.instant().plusSeconds(1));
      between.cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(26);
      first.cancel();
      assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(30);
    }
  }

  @Test
  default void cancel_ofWhatAnOverrideHasLetDrain_givesNothingBack() {
    for (Algorithm algorithm : Algorithm.all()) {
      ManualClock clock = halfPastEight();
      Limiter limiter = newLimiter(perDay(10, algorithm), clock);
      Reservation reservation = limiter.reserve("a", 10);
      boolean held = algorithm == Algorithm.CONCURRENCY;
      Policy fast =
          Policy.parse(held ? "10 concurrent lease 1s" : "1000/s").withAlgorithm(algorithm);
      limiter.override("a", fast, clock.instant().plusSeconds(5));
      clock.advance(Duration.ofSeconds(5));
      if (!held) {
        assertThat(limiter.tryAcquire("a", 10).allowed()).as(algorithm.name()).isTrue();
        long left = limiter.peek("a").remaining();
        reservation.cancel();
        assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
      }
    }
  }
}
