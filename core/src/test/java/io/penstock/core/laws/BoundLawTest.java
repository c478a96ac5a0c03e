package io.penstock.core.laws;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.LongRange;

/** L1, the bound: how much may pass. Each algorithm has its own; all are checked on what passed. */
class BoundLawTest {
  private static final int CHECKS = 80;

  /** What was let in: when, how much, and when it was told to run. */
  private record Pass(long at, long cost, long runsAt) {}

  @Provide
  Arbitrary<String> buckets() {
    return Arbitraries.of("gcra", "token-bucket", "leaky-bucket");
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_bucketInAnySpan_admitsAtMostBurstPlusRate(
      @ForAll("buckets") String algorithm, @ForAll long seed) {
    Walk walk = new Walk(algorithm, seed);
    List<Pass> passes = passes(walk);
    for (int first = 0; first < passes.size(); first++) {
      long units = 0;
      for (int last = first; last < passes.size(); last++) {
        units += passes.get(last).cost;
        long span = passes.get(last).at - passes.get(first).at;
        assertThat(units).as(walk::toString).isLessThanOrEqualTo(bound(walk.limit(), span));
      }
    }
  }

  /** burst + floor(span / interval). */
  private static long bound(Limit limit, long span) {
    BigInteger gained =
        BigInteger.valueOf(span)
            .multiply(BigInteger.valueOf(limit.unitDenominator()))
            .divide(BigInteger.valueOf(limit.unitNumerator()));
    return limit.capacity() + gained.longValueExact();
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_fixedWindow_admitsAtMostNInEachAndTwiceAcrossABoundary(@ForAll long seed) {
    Walk walk = new Walk("fixed-window", seed);
    List<Pass> passes = passes(walk);
    Map<Long, Long> counts = new HashMap<>();
    for (Pass pass : passes) {
      counts.merge(walk.limit().windowStart(pass.at), pass.cost, Long::sum);
    }
    assertThat(counts.values())
        .as(walk::toString)
        .allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(walk.limit().count()));
    for (Pass pass : passes) {
      long end = pass.at + walk.limit().windowEnd(pass.at) - walk.limit().windowStart(pass.at);
      assertThat(unitsBetween(passes, pass.at, Math.min(end, walk.limit().nextWindowEnd(pass.at))))
          .as(walk::toString)
          .isLessThanOrEqualTo(2 * walk.limit().count());
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_slidingLogInEveryHalfOpenWindow_admitsAtMostN(@ForAll long seed) {
    Walk walk = new Walk("sliding-window-log", seed);
    List<Pass> passes = passes(walk);
    for (Pass pass : passes) {
      assertThat(unitsBetween(passes, pass.at, pass.at + walk.limit().periodNanos()))
          .as(walk::toString)
          .isLessThanOrEqualTo(walk.limit().count());
    }
  }

  private static long unitsBetween(List<Pass> passes, long from, long to) {
    return passes.stream()
        .filter(pass -> pass.at >= from && pass.at < to)
        .mapToLong(Pass::cost)
        .sum();
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_slidingCounterAtEachPass_keepsItsFormula(@ForAll long seed) {
    Walk walk = new Walk("sliding-window-counter", seed);
    List<Pass> passes = passes(walk);
    for (Pass pass : passes) {
      long start = walk.limit().windowStart(pass.at);
      long end = walk.limit().windowEnd(pass.at);
      long previous = unitsBetween(passes, walk.limit().windowStart(start - 1), start);
      long current = unitsBetween(passes, start, pass.at + 1);
      BigInteger[] share =
          BigInteger.valueOf(previous)
              .multiply(BigInteger.valueOf(end - pass.at))
              .divideAndRemainder(BigInteger.valueOf(end - start));
      long weighted = share[0].longValueExact() + share[1].signum();
      assertThat(current + weighted).as(walk::toString).isLessThanOrEqualTo(walk.limit().count());
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_queue_spacesRunsAndLetsAtMostBurstWait(@ForAll long seed) {
    Walk walk = new Walk("leaky-queue", seed);
    List<Pass> passes = passes(walk);
    BigInteger denominator = BigInteger.valueOf(walk.limit().unitDenominator());
    for (int i = 0; i < passes.size(); i++) {
      Pass pass = passes.get(i);
      assertThat(pass.runsAt).as(walk::toString).isGreaterThanOrEqualTo(pass.at);
      if (i > 0) {
        Pass before = passes.get(i - 1);
        BigInteger places = BigInteger.valueOf(before.cost).multiply(nanosPerUnit(walk));
        BigInteger gap = BigInteger.valueOf(pass.runsAt - before.runsAt + 1);
        assertThat(gap.multiply(denominator)).as(walk::toString).isGreaterThan(places);
      }
      BigInteger ahead = BigInteger.valueOf(pass.runsAt - pass.at - 1).multiply(denominator);
      BigInteger taken = BigInteger.valueOf(pass.cost - 1).multiply(nanosPerUnit(walk));
      BigInteger line = BigInteger.valueOf(walk.limit().capacity()).multiply(nanosPerUnit(walk));
      assertThat(ahead.add(taken)).as(walk::toString).isLessThanOrEqualTo(line);
    }
  }

  /** What somebody has of a queue: places in a row, told when the first one runs. */
  private record Held(long first, long cost) {}

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_queueWhosePlacesAreGivenUp_spacesThoseThatAreLeftAndLetsAtMostBurstWait(
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long perSecond, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Limit limit = Limit.parse(perSecond + "/s burst " + (1 + random.nextInt(12)));
    PureKey key = new PureKey(Algorithm.LEAKY_QUEUE, limit);
    long interval = limit.unitNumerator() / limit.unitDenominator();
    List<Held> all = new ArrayList<>();
    long now = 1;
    for (int i = 0; i < CHECKS; i++) {
      now += random.nextBoolean() ? 0 : random.nextLong(3) * random.nextLong(2 * interval);
      if (!all.isEmpty() && random.nextInt(3) == 0) {
        Held held = all.remove(random.nextInt(all.size()));
        key.giveBack(now, held.cost, held.first);
        continue;
      }
      long cost = random.nextInt(3) > 0 ? 1 : 1 + random.nextLong(limit.capacity() + 1);
      Step step = key.take(now, cost);
      if (step.allowed()) {
        long first = now + step.waitNanos();
        long last = first + (cost - 1) * limit.unitNumerator() / limit.unitDenominator();
        assertThat(all)
            .as("%s %d at %d: %s", limit, seed, now, key.state())
            .allMatch(
                held ->
                    held.first >= last + interval
                        || held.first
                                + (held.cost - 1) * limit.unitNumerator() / limit.unitDenominator()
                                + interval
                            <= first);
        all.add(new Held(first, cost));
      }
      long at = now;
      assertThat(all.stream().filter(held -> held.first > at).count())
          .isLessThanOrEqualTo(limit.capacity());
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_queueWithRefunds_spacesThoseThatAreLeft(
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long perSecond, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Limit limit = Limit.parse(perSecond + "/s burst " + (1 + random.nextInt(12)));
    PureKey key = new PureKey(Algorithm.LEAKY_QUEUE, limit);
    long interval = limit.unitNumerator() / limit.unitDenominator();
    List<Long> runs = new ArrayList<>();
    long now = 1;
    for (int i = 0; i < CHECKS; i++) {
      now += random.nextBoolean() ? 0 : random.nextLong(3) * random.nextLong(2 * interval);
      if (random.nextInt(3) == 0) {
        key.giveBack(now, 1, /* ticket= */ 0);
        if (!runs.isEmpty() && runs.get(runs.size() - 1) >= now) {
          runs.remove(runs.size() - 1);
        }
        continue;
      }
      Step step = key.take(now, 1);
      if (step.allowed()) {
        long run = now + step.waitNanos();
        assertThat(runs.isEmpty() || run - runs.get(runs.size() - 1) >= interval)
            .as("%s %d at %d: %d after %s", limit, seed, now, run, runs)
            .isTrue();
        runs.add(run);
      }
    }
  }

  private static BigInteger nanosPerUnit(Walk walk) {
    return BigInteger.valueOf(walk.limit().unitNumerator());
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void l1Bound_concurrency_holdsAtMostN(@ForAll long seed) {
    Walk walk = new Walk("concurrency", seed);
    List<Pass> passes = passes(walk);
    for (Pass pass : passes) {
      assertThat(unitsBetween(passes, pass.at - walk.limit().periodNanos() + 1, pass.at + 1))
          .as(walk::toString)
          .isLessThanOrEqualTo(walk.limit().count());
    }
  }

  private static List<Pass> passes(Walk walk) {
    List<Pass> passes = new ArrayList<>();
    for (int i = 0; i < CHECKS; i++) {
      walk.next();
      Step step = walk.take();
      if (step.allowed() && walk.cost() > 0) {
        passes.add(new Pass(walk.now(), walk.cost(), walk.now() + step.waitNanos()));
      }
    }
    return passes;
  }
}
