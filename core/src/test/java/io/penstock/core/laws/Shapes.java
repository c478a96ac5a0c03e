package io.penstock.core.laws;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.algorithm.LeakyQueue;
import java.util.List;
import java.util.SplittableRandom;

/** Limits of every shape, drawn at random. */
final class Shapes {
  private static final List<String> RATES =
      List.of(
          "7/s",
          "3/min",
          "10/s",
          "100/s",
          "1/ms",
          "5/250ms",
          "300000000/s",
          "600000000/s",
          "999999999/s",
          "1000000000/s",
          "1/year",
          "1/month",
          "10/day",
          "1000/week",
          "99/3month",
          "7/31day");
  private static final List<String> BURSTS =
      List.of(
          "100/s burst 200",
          "10/s burst 1",
          "1/s burst 2147483648",
          "7/s burst 3",
          "1000000000/s burst 2147483648",
          "999999999/s burst 2147483648",
          "3/min burst 1000",
          "700000000/s burst 2");
  private static final List<String> ZONED =
      List.of(
          "10/day Europe/Paris",
          "100/hour America/New_York",
          "7/hour Australia/Lord_Howe",
          "20/week Asia/Kolkata",
          "1000/month Europe/Paris",
          "5/7hour UTC");
  private static final List<String> HELD =
      List.of("1 concurrent lease 1s", "50 concurrent lease 30s", "7 concurrent lease 250ms");
  private static final List<String> UNITS =
      List.of("ms", "s", "min", "hour", "day", "week", "month", "year");
  private static final long PERIOD_AMOUNT_MAX = 60;
  private static final double CHANCE_OF_A_LISTED_ONE = 0.3;

  private Shapes() {}

  /** A limit that a policy could count with the algorithm. */
  static Limit any(SplittableRandom random, Algorithm algorithm) {
    if (algorithm == Algorithm.CONCURRENCY) {
      return held(random);
    }
    boolean listed = random.nextDouble() < CHANCE_OF_A_LISTED_ONE;
    if (algorithm == Algorithm.FIXED_WINDOW && listed && random.nextBoolean()) {
      return Limit.parse(pick(random, ZONED));
    }
    Limit rate = listed ? Limit.parse(pick(random, RATES)) : rate(random);
    Limit limit = isWindow(algorithm) ? rate : burst(random, rate, listed);
    boolean queue = algorithm == Algorithm.LEAKY_QUEUE;
    return queue && limit.capacity() > LeakyQueue.waitingMax(limit)
        ? any(random, algorithm)
        : limit;
  }

  private static Limit held(SplittableRandom random) {
    if (random.nextDouble() < CHANCE_OF_A_LISTED_ONE) {
      return Limit.parse(pick(random, HELD));
    }
    return Limit.parse(upTo(random, 1_000) + " concurrent lease " + period(random));
  }

  private static Limit rate(SplittableRandom random) {
    Limit longest = Limit.parse("1/" + period(random));
    long most = Math.min(longest.periodNanos(), 1_000_000_000_000L);
    return Limit.parse(upTo(random, most) + "/" + longest.period());
  }

  private static Limit burst(SplittableRandom random, Limit rate, boolean listed) {
    if (listed && random.nextBoolean()) {
      return Limit.parse(pick(random, BURSTS));
    }
    if (random.nextBoolean()) {
      return rate;
    }
    try {
      return rate.withBurst(upTo(random, 1L << 32));
    } catch (IllegalArgumentException tooLong) {
      return rate;
    }
  }

  private static String period(SplittableRandom random) {
    String unit = pick(random, UNITS);
    return random.nextBoolean() ? unit : upTo(random, PERIOD_AMOUNT_MAX) + unit;
  }

  static boolean isWindow(Algorithm algorithm) {
    return algorithm == Algorithm.FIXED_WINDOW
        || algorithm == Algorithm.SLIDING_WINDOW_LOG
        || algorithm == Algorithm.SLIDING_WINDOW_COUNTER;
  }

  /** 1 to {@code most}, small numbers as likely as large ones. */
  static long upTo(SplittableRandom random, long most) {
    int bits = random.nextInt(64 - Long.numberOfLeadingZeros(most)) + 1;
    return Math.min(most, 1 + (random.nextLong() >>> 1 >>> (63 - bits)));
  }

  static <T> T pick(SplittableRandom random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
