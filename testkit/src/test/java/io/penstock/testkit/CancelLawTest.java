package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reservation;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** L10: whatever happens in between, cancelling never gives back what others have used. */
class CancelLawTest {
  private static final int TRIES = 1_000;
  private static final List<String> PERIODS = List.of("7s", "10s", "min", "90s", "hour", "day");

  private ManualClock clock = new ManualClock();

  @Test
  void cancel_throughAnyChanges_leavesAtLeastWhatOthersHaveUsed() {
    for (Algorithm algorithm : Algorithm.all()) {
      for (int seed = 0; seed < TRIES; seed++) {
        play(algorithm, new SplittableRandom(seed), algorithm.name() + " with seed " + seed);
      }
    }
  }

  /** The same happens to two keys, and one of them has a reservation as well. */
  private void play(Algorithm algorithm, SplittableRandom random, String course) {
    clock = new ManualClock();
    clock.advanceNanos(random.nextLong(86_400_000_000_000L));
    Limiter limiter = Limiter.builder().policy(any(random, algorithm)).clock(clock).build();
    othersTake(limiter, random);
    Reservation reservation = limiter.reserve("reserved", 1 + random.nextInt(8));
    for (int i = random.nextInt(8); i >= 0; i--) {
      Algorithm next = random.nextInt(4) == 0 ? pick(random, Algorithm.all()) : algorithm;
      clock.advanceNanos(random.nextBoolean() ? 0 : random.nextLong(8_000_000_000L));
      switch (random.nextInt(5)) {
        case 0 -> limiter.update(any(random, next));
        case 1 -> override(limiter, any(random, next), random.nextInt(9));
        default -> othersTake(limiter, random);
      }
    }
    reservation.cancel();
    assertThat(limiter.peek("reserved").remaining())
        .as(course)
        .isLessThanOrEqualTo(limiter.peek("plain").remaining());
  }

  private void override(Limiter limiter, Policy policy, int seconds) {
    limiter.override("reserved", policy, clock.instant().plusSeconds(seconds));
    limiter.override("plain", policy, clock.instant().plusSeconds(seconds));
  }

  private static void othersTake(Limiter limiter, SplittableRandom random) {
    int cost = 1 + random.nextInt(5);
    if (limiter.tryAcquire("reserved", cost).allowed()) {
      limiter.tryAcquire("plain", cost);
    }
  }

  private static Policy any(SplittableRandom random, Algorithm algorithm) {
    boolean held = algorithm == Algorithm.CONCURRENCY;
    String form = (8 + random.nextInt(12)) + (held ? " concurrent lease " : "/");
    return Policy.parse(form + pick(random, PERIODS)).withAlgorithm(algorithm);
  }

  private static <T> T pick(SplittableRandom random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
