package io.penstock.core.laws;

import io.penstock.core.Limit;
import io.penstock.core.algorithm.Arrears;
import java.util.SplittableRandom;

/** Times and costs at which a limit is asked, at random but where it matters. */
final class Course {
  private static final long LATEST = Arrears.LATEST;
  private static final long YEAR = 365L * 24 * 3_600 * 1_000_000_000;

  private final SplittableRandom random;
  private long now;
  private long wait;

  Course(SplittableRandom random) {
    this.random = random;
    this.now = start();
  }

  private long start() {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(3);
      case 1 -> Shapes.upTo(random, YEAR);
      case 2 -> LATEST - Shapes.upTo(random, 10 * YEAR);
      default -> 54 * YEAR + random.nextLong(2 * YEAR);
    };
  }

  long now() {
    return now;
  }

  /** Remembers the wait of a denial: a good time to come back, and so is a nanosecond earlier. */
  void denied(long retryAfterNanos) {
    wait = retryAfterNanos;
  }

  /** Moves on, often not at all, and seldom so far that the end of time comes near. */
  long next(Limit limit) {
    long gap = gap(limit);
    boolean tooFar = gap > (LATEST - now) / 16 && random.nextInt(20) > 0;
    now += tooFar ? 0 : Math.min(gap, LATEST - now);
    return now;
  }

  private long gap(Limit limit) {
    long interval = Math.max(1, limit.periodNanos() / limit.count());
    return switch (random.nextInt(12)) {
      case 0 -> 1;
      case 1 -> Shapes.upTo(random, interval);
      case 2 -> (1 + random.nextInt(3)) * Math.min(interval, 20 * YEAR);
      case 3 -> Shapes.upTo(random, limit.periodNanos());
      case 4 -> random.nextLong(limit.capacityNanos()) + 1;
      case 5 -> retry(limit);
      case 6 -> limit.windowEnd(now) - now - random.nextInt(2);
      case 7 -> random.nextInt(20) == 0 ? random.nextLong(30 * YEAR) : interval / 2;
      default -> 0;
    };
  }

  private long retry(Limit limit) {
    long gap = wait > 0 ? wait - random.nextInt(2) : limit.periodNanos();
    wait = 0;
    return gap;
  }

  /** A cost, often about what is left. */
  long cost(Limit limit, long remaining) {
    long capacity = limit.capacity();
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> capacity;
      case 2 -> capacity + random.nextInt(3);
      case 3 -> random.nextInt(5) == 0 ? Long.MAX_VALUE : 2;
      case 4 -> Shapes.upTo(random, capacity);
      case 5 -> Math.max(1, remaining);
      case 6 -> remaining + 1;
      case 7 -> Math.max(1, remaining / 2);
      default -> 1;
    };
  }
}
