package io.penstock.core.laws;

import io.penstock.core.Limit;
import java.util.SplittableRandom;

/** Times and costs at which a limit is asked, at random but where it matters. */
final class Course {
  private static final long LATEST = Long.MAX_VALUE / 2;
  private static final long YEAR = 365L * 24 * 3_600 * 1_000_000_000;

  private final SplittableRandom random;
  private long now;
  private long wait;

  Course(SplittableRandom random) {
    this.random = random;
    this.now = start();
  }

  private long start() {
    switch (random.nextInt(4)) {
      case 0:
        return random.nextInt(3);
      case 1:
        return Shapes.upTo(random, YEAR);
      case 2:
        return LATEST - Shapes.upTo(random, 10 * YEAR);
      default:
        return 54 * YEAR + random.nextLong(2 * YEAR);
    }
  }

  long now() {
    return now;
  }

  /** Remembers the wait of a denial: a good time to come back, and so is a nanosecond earlier. */
  void denied(long retryAfterNanos) {
    wait = retryAfterNanos;
  }

  /** Moves on, often not at all. */
  long next(Limit limit) {
    now += Math.min(gap(limit), LATEST - now);
    return now;
  }

  private long gap(Limit limit) {
    long interval = Math.max(1, limit.periodNanos() / limit.count());
    switch (random.nextInt(12)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return 0;
      case 4:
        return 1;
      case 5:
        return Shapes.upTo(random, interval);
      case 6:
        return (1 + random.nextInt(3)) * Math.min(interval, 20 * YEAR);
      case 7:
        return Shapes.upTo(random, limit.periodNanos());
      case 8:
        return random.nextLong(limit.capacityNanos()) + 1;
      case 9:
        return retry(limit);
      case 10:
        return limit.windowEnd(now) - now - random.nextInt(2);
      default:
        return random.nextInt(20) == 0 ? random.nextLong(30 * YEAR) : interval / 2;
    }
  }

  private long retry(Limit limit) {
    long gap = wait > 0 ? wait - random.nextInt(2) : limit.periodNanos();
    wait = 0;
    return gap;
  }

  /** A cost, often about what is left. */
  long cost(Limit limit, long remaining) {
    long capacity = limit.capacity();
    switch (random.nextInt(12)) {
      case 0:
        return 0;
      case 1:
        return capacity;
      case 2:
        return capacity + random.nextInt(3);
      case 3:
        return random.nextInt(5) == 0 ? Long.MAX_VALUE : 2;
      case 4:
        return Shapes.upTo(random, capacity);
      case 5:
        return Math.max(1, remaining);
      case 6:
        return remaining + 1;
      case 7:
        return Math.max(1, remaining / 2);
      default:
        return 1;
    }
  }
}
