package io.penstock.core.laws;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Step;
import io.penstock.core.algorithm.Wide;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** The laws that are the same for every algorithm: L2 to L6. L1 differs and has its own test. */
class GeneralLawsTest {
  private static final int CHECKS = 100;
  private static final long SPLIT_MAX = 40;

  @Provide
  Arbitrary<String> algorithms() {
    return Arbitraries.of(Algorithm.all().stream().map(Algorithm::name).toList());
  }

  /** All but concurrency: nobody knows when a slot is given back. */
  @Provide
  Arbitrary<String> rates() {
    return algorithms().filter(name -> !name.equals(Algorithm.CONCURRENCY.name()));
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l2ExactRetry_denied_fitsAtRetryAfterAndNotOneNanosecondEarlier(
      @ForAll("rates") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      walk.disturb();
      Step step = walk.take();
      if (!step.allowed() && !step.never() && isRate(walk) && !walk.isInArrears()) {
        long retryAt = walk.now() + step.retryAfterNanos();
        assertThat(step.retryAfterNanos()).as(walk::toString).isPositive();
        assertThat(walk.key().ask(retryAt, walk.cost()).allowed()).as(walk::toString).isTrue();
        assertThat(walk.key().ask(retryAt - 1, walk.cost()).allowed()).as(walk::toString).isFalse();
      }
    }
  }

  private static boolean isRate(Walk walk) {
    return walk.key().algorithm() != Algorithm.CONCURRENCY;
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l2ExactRetry_never_isDeniedEvenWhenEverythingIsAvailable(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      walk.disturb();
      Step step = walk.take();
      if (step.never() && !walk.isInArrears()) {
        Step later = walk.key().ask(walk.now() + step.resetAfterNanos(), walk.cost());
        assertThat(later.never()).as(walk::toString).isTrue();
        assertThat(later.remaining()).as(walk::toString).isEqualTo(walk.limit().capacity());
      }
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l3Denied_anyState_changesNothing(@ForAll("algorithms") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      walk.disturb();
      Step before = walk.key().ask(walk.now(), 0);
      List<Long> numbers = List.of(before.remaining(), before.resetAfterNanos());
      String state = walk.key().state();
      Step step = walk.take();
      if (!step.allowed()) {
        assertThat(walk.key().state()).as(walk::toString).isEqualTo(state);
        assertThat(List.of(step.remaining(), step.resetAfterNanos())).isEqualTo(numbers);
      }
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l4Split_costOfN_equalsNTimesOne(@ForAll("algorithms") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    PureKey split = new PureKey(walk.key().algorithm(), walk.limit());
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      long cost = 1 + walk.random().nextLong(SPLIT_MAX);
      Step whole = walk.key().take(walk.now(), cost);
      boolean allowed = whole.allowed();
      if (allowed) {
        long remaining = whole.remaining();
        for (long unit = 0; unit < cost; unit++) {
          assertThat(split.take(walk.now(), 1).allowed()).as(walk::toString).isTrue();
        }
        assertThat(split.ask(walk.now(), 0).remaining()).as(walk::toString).isEqualTo(remaining);
      } else {
        assertThat(fits(split, walk.now(), cost)).as(walk::toString).isLessThan(cost);
      }
    }
  }

  /** How many of so many single units a copy of the key would let pass. */
  private static long fits(PureKey key, long now, long units) {
    PureKey copy = key.copy();
    long fit = 0;
    while (fit < units && copy.take(now, 1).allowed()) {
      fit++;
    }
    return fit;
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l5Remaining_whateverHappens_isBetweenZeroAndCapacity(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      walk.disturb();
      Step step = walk.take();
      assertThat(step.remaining()).as(walk::toString).isBetween(0L, walk.limit().capacity());
      assertThat(step.resetAfterNanos()).as(walk::toString).isNotNegative();
      if (walk.isInArrears()) {
        assertThat(step.resetAfterNanos()).as(walk::toString).isEqualTo(Wide.MAX);
        continue;
      }
      assertThat(walk.key().ask(walk.now() + step.resetAfterNanos(), 0).remaining())
          .as(walk::toString)
          .isEqualTo(walk.limit().capacity());
    }
  }

  /** When more is left is when the field t of RateLimit says. */
  @Property(shrinking = ShrinkingMode.OFF)
  void l5Remaining_isMoreWhenItSaysAndNotOneNanosecondEarlier(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      walk.disturb();
      Step step = walk.take();
      long left = step.remaining();
      long moreAt = walk.now() + step.moreAfterNanos();
      boolean isTold = step.allowed() || step.never();
      if (isTold && left < walk.limit().capacity() && !walk.isInArrears()) {
        assertThat(walk.key().ask(moreAt, 0).remaining()).as(walk::toString).isGreaterThan(left);
        assertThat(walk.key().ask(moreAt - 1, 0).remaining()).as(walk::toString).isEqualTo(left);
      }
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l6Peek_thenDecide_equalsDecide(@ForAll("algorithms") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      walk.disturb();
      PureKey unseen = walk.key().copy();
      Step peek = walk.key().take(walk.now(), 0);
      long left = peek.remaining();
      assertThat(peek.allowed()).as(walk::toString).isTrue();
      Step plain = unseen.take(walk.now(), walk.cost());
      List<Long> expected = numbers(plain);
      assertThat(numbers(walk.take())).as(walk::toString).isEqualTo(expected);
      if (!plain.allowed()) {
        assertThat(plain.remaining()).as(walk::toString).isEqualTo(left);
      }
    }
  }

  private static List<Long> numbers(Step step) {
    return List.of(
        step.allowed() ? 1L : 0L,
        step.remaining(),
        step.retryAfterNanos(),
        step.resetAfterNanos(),
        step.waitNanos());
  }

  /**
   * Who read the clock early may be decided late: it gets nothing that it would not get now, and
   * nobody gets more for it, whenever it comes. A law of no number: all others rest on it.
   */
  @Property(shrinking = ShrinkingMode.OFF)
  void late_decidedAsOfEarlier_neverLetsMoreThrough(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      walk.take();
      long now = walk.now();
      long early = now - Math.min(now, walk.random().nextLong(walk.limit().periodNanos()));
      PureKey late = walk.key().copy();
      long cost = 1 + walk.random().nextLong(walk.limit().capacity());
      if (late.take(early, cost).allowed()) {
        assertThat(walk.key().ask(now, cost).allowed()).as(walk::toString).isTrue();
      }
      for (long then = now; then - now <= 2 * walk.limit().periodNanos(); ) {
        assertThat(late.ask(then, 0).remaining())
            .as(walk::toString)
            .isLessThanOrEqualTo(walk.key().ask(then, 0).remaining());
        then += 1 + walk.random().nextLong(walk.limit().periodNanos());
      }
    }
  }
}
