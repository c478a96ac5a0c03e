package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Committing less than was reserved leaves what taking only that much would have left. */
class CommitTest {
  private static final String KEY = "org:7";

  private long now = 1_773_145_800_000_000_000L;

  private MemoryLimiter limiter(String policy, Algorithm algorithm) {
    return Limiter.builder()
        .policy(Policy.parse(policy).withAlgorithm(algorithm))
        .clock(() -> now)
        .build();
  }

  private static long left(Limiter limiter) {
    return limiter.peek(KEY).remaining();
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }

  @Example
  void commit_lessOfABucket_drainsWhatIsKeptFirst() {
    for (long kept : new long[] {1, 5, 9}) {
      MemoryLimiter limiter = limiter("10/s burst 20", Algorithm.GCRA);
      Reservation reservation = limiter.reserve(KEY, 10);
      pass(400);
      reservation.commit(kept);
      assertThat(left(limiter)).as("%d kept", kept).isEqualTo(Math.min(20, 20 - kept + 4));
    }
  }

  @Example
  void commit_whatIsKeptHasDrained_givesBackAllThatHasNot() {
    MemoryLimiter limiter = limiter("100/s burst 4000", Algorithm.GCRA);
    Reservation reservation = limiter.reserve(KEY, 4000);
    pass(10_000);
    reservation.commit(1000);
    assertThat(left(limiter)).isEqualTo(4000);
  }

  @Example
  void commit_rateChangedMeanwhile_drainsWhatIsKeptAtBothRates() {
    MemoryLimiter limiter = limiter("10/s burst 20", Algorithm.GCRA);
    Reservation reservation = limiter.reserve(KEY, 20);
    pass(500);
    limiter.update(Policy.parse("20/s burst 20"));
    pass(250);
    reservation.commit(12);
    assertThat(left(limiter)).as("12 taken, 5 and 5 drained").isEqualTo(18);
  }

  @Example
  void settle_queueWhoseFirstPlacesHavePassed_freesThoseAhead() {
    for (long kept : new long[] {0, 1, 2, 3, 4}) {
      MemoryLimiter limiter = limiter("1/s burst 5", Algorithm.LEAKY_QUEUE);
      Reservation reservation = limiter.reserve(KEY, 5);
      pass(1_500);
      reservation.commit(kept);
      assertThat(limiter.reserve(KEY, 1).decision().waitNanos())
          .as("%d kept, 2 have begun", kept)
          .isEqualTo(Duration.ofMillis(Math.max(2, kept) * 1_000 - 1_500).toNanos());
    }
  }

  /* Whoever could gain by reserving too much and committing less would pass more than L1 allows. */
  @Property
  void commit_othersComeMeanwhile_neverLeavesMoreThanTakingOnlyThat(
      @ForAll @LongRange(min = 1, max = 40) long reserved,
      @ForAll @IntRange(max = 40) int kept,
      @ForAll @IntRange(max = 3) int limit,
      @ForAll long seed) {
    String policy =
        new String[] {"10/s burst 40", "3000/s burst 40", "7/s burst 50", "1/min burst 40"}[limit];
    MemoryLimiter ours = limiter(policy, Algorithm.GCRA);
    MemoryLimiter twin = limiter(policy, Algorithm.GCRA);
    Random random = new Random(seed);
    boolean alone = random.nextBoolean();
    if (!alone) {
      takeSome(random, ours, twin, limit);
    }
    Reservation reservation = ours.reserve(KEY, reserved);
    if (!reservation.decision().allowed() || kept > reserved) {
      return;
    }
    if (kept > 0) {
      assertThat(twin.tryAcquire(KEY, kept).allowed()).isTrue();
    }
    if (alone) {
      pass(random.nextInt(5_000));
    } else {
      takeSome(random, ours, twin, limit);
    }
    reservation.commit(kept);
    assertThat(left(ours)).isLessThanOrEqualTo(left(twin));
    if (alone) {
      assertThat(left(ours)).isGreaterThanOrEqualTo(left(twin) - 1);
    }
  }

  /** What the one with less room lets pass, both do. */
  private void takeSome(Random random, MemoryLimiter ours, MemoryLimiter twin, int limit) {
    for (int i = random.nextInt(6); i > 0; i--) {
      now += random.nextInt(limit == 1 ? 3_000_000 : 1_000_000_000);
      long cost = 1L + random.nextInt(8);
      if (ours.tryAcquire(KEY, cost).allowed()) {
        assertThat(twin.tryAcquire(KEY, cost).allowed()).isTrue();
      }
    }
  }
}
