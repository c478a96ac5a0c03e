package io.penstock.core.laws;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** In the long run a bucket gives the rate that was asked for: to a millionth, and never more. */
class RateLawTest {
  private static final int DRAINS = 200;

  /** With less, the bucket may be full between two nanoseconds, and what comes then is lost. */
  private static final long ROOM = 4;

  private static final BigDecimal SLOWEST = new BigDecimal("0.999999");

  @Provide
  Arbitrary<String> buckets() {
    return Arbitraries.of("gcra", "token-bucket", "leaky-bucket", "leaky-queue");
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void rate_longRun_isExactToAMillionthAndNeverAbove(
      @ForAll("buckets") String name, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Algorithm algorithm = Algorithm.named(name);
    Limit limit = Shapes.any(random, algorithm);
    Assume.that(limit.capacity() >= ROOM);
    PureKey key = new PureKey(algorithm, limit);
    long now = random.nextLong(1L << 60);
    drain(key, now);
    long start = now;
    long passed = 0;
    for (int i = 0; i < DRAINS && now < 1L << 61; i++) {
      now += 1 + random.nextLong(Math.max(1, limit.capacityNanos() - 2 * unit(limit)));
      passed += drain(key, now);
    }
    BigDecimal asked = asked(limit, now - start);
    assertThat(new BigDecimal(passed)).as(limit::toString).isLessThanOrEqualTo(asked);
    assertThat(new BigDecimal(passed + 1))
        .as(limit::toString)
        .isGreaterThanOrEqualTo(asked.multiply(SLOWEST));
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void unit_anyRate_isAtMostAMillionthSlowerAndNeverFaster(@ForAll long seed) {
    Limit limit = Shapes.any(new SplittableRandom(seed), Algorithm.GCRA);
    BigInteger denominator = BigInteger.valueOf(limit.unitDenominator());
    BigInteger nanos = BigInteger.valueOf(limit.unitNumerator()).multiply(count(limit));
    BigInteger period = BigInteger.valueOf(limit.periodNanos()).multiply(denominator);
    assertThat(nanos).as(limit::toString).isGreaterThanOrEqualTo(period);
    assertThat(nanos.subtract(period).multiply(BigInteger.valueOf(1_000_000)))
        .as(limit::toString)
        .isLessThanOrEqualTo(period);
  }

  /**
   * With a burst of 1 the bucket is full at once: the rest of a nanosecond is lost, and no more.
   */
  @Example
  void rate_burstOfOne_losesLessThanANanosecondPerUnit() {
    assertThat(nanosFor("3000/s burst 1", 3_000)).isEqualTo(3_000 * 333_334L);
    assertThat(nanosFor("3000/s burst 2", 3_001)).isEqualTo(1_000_000_000L);
    assertThat(nanosFor("300000000/s burst 1", 300_000)).isEqualTo(1_200_000L);
    assertThat(nanosFor("300000000/s burst 2", 300_001)).isEqualTo(1_000_000L);
  }

  /** How long it takes to get so many units after the first, one by one, as early as can be. */
  private static long nanosFor(String limit, int units) {
    PureKey key = new PureKey(Algorithm.GCRA, Limit.parse(limit));
    long now = 0;
    for (int taken = 0; taken <= units; ) {
      Step step = key.take(now, 1);
      taken += step.allowed() ? 1 : 0;
      now += step.retryAfterNanos();
    }
    return now;
  }

  /** Takes all there is, and says how much it was. */
  private static long drain(PureKey key, long now) {
    long taken = 0;
    while (true) {
      Step step = key.ask(now, 0);
      long left = step.remaining();
      if (left == 0 || !key.take(now, left).allowed()) {
        return taken;
      }
      taken += left;
    }
  }

  private static long unit(Limit limit) {
    return limit.unitNumerator() / limit.unitDenominator() + 1;
  }

  private static BigInteger count(Limit limit) {
    return BigInteger.valueOf(limit.count());
  }

  private static BigDecimal asked(Limit limit, long nanos) {
    BigInteger units = BigInteger.valueOf(nanos).multiply(count(limit));
    return new BigDecimal(units)
        .divide(new BigDecimal(limit.periodNanos()), 6, RoundingMode.CEILING);
  }
}
