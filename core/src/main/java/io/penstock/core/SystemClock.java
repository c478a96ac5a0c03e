package io.penstock.core;

import java.util.function.LongSupplier;

/**
 * Wall time that only moves forward: the wall clock at start plus the monotonic clock since, slewed
 * slowly when the wall clock says something else. Thread-safe.
 */
final class SystemClock implements Clock {
  /*
   * now = wall + (t - start) * (1 + rate / 2^20), where t is monotonic. After a second the rate is
   * chosen anew from the distance to the wall clock, at most 500 parts per million either way. A
   * wall clock that is stepped by an hour moves this one by no more than half a millisecond per
   * second, so no key gains or waits by it, and since the rate is above -2^20 time never runs
   * backwards. Nobody reading for longer than a second means no slewing for the rest.
   */
  private static final int RATE_SHIFT = 20;

  /** 500 parts per million. */
  static final long RATE_MAX = 500 * (1L << RATE_SHIFT) / 1_000_000;

  private static final long MILLION = 1_000_000;
  private static final long ADJUST_EVERY_NANOS = 1_000_000_000;
  private static final long SELDOM_MASK = (1 << 8) - 1;

  static final SystemClock SHARED =
      new SystemClock(System::nanoTime, () -> System.currentTimeMillis() * MILLION);

  /** A stretch of the line: where it starts on both clocks and how steep it is. Immutable. */
  private record Line(int number, long startTicks, long startNanos, long rate) {
    /** The time so long after the start, while the line lasts. */
    long after(long elapsed) {
      return startNanos + elapsed + ((elapsed * rate) >> RATE_SHIFT);
    }

    /** The time at any reading: it stands before the start, and is not slewed after the end. */
    long at(long ticks) {
      long elapsed = Math.max(0, ticks - startTicks);
      long slewed = Math.min(elapsed, ADJUST_EVERY_NANOS);
      return after(slewed) + elapsed - slewed;
    }
  }

  private final LongSupplier ticks;
  private final LongSupplier wallNanos;
  private volatile Line line;

  SystemClock(LongSupplier ticks, LongSupplier wallNanos) {
    this.ticks = ticks;
    this.wallNanos = wallNanos;
    this.line = new Line(0, ticks.getAsLong(), wallNanos.getAsLong(), 0);
  }

  /*
   * Whatever the compiler has never seen happen it compiles as a way out, which throws away the
   * code of every caller. What happens once a second would do so to one caller after the other, and
   * leave them calling each other instead of being one piece of code. So one reading in 256 takes
   * the long way without need, behind the same test as the two that must.
   */
  @Override
  public long nanos() {
    long now = ticks.getAsLong();
    Line current = line;
    long elapsed = now - current.startTicks;
    boolean seldom = (elapsed | (ADJUST_EVERY_NANOS - elapsed) | ((now & SELDOM_MASK) - 1)) < 0;
    return seldom ? adjusted(current, now) : current.after(elapsed);
  }

  private long adjusted(Line seen, long then) {
    if (then - seen.startTicks <= ADJUST_EVERY_NANOS) {
      return seen.at(then);
    }
    synchronized (this) {
      long now = ticks.getAsLong();
      long nanos = line.at(now);
      if (line.number == seen.number) {
        long ahead = clamp(wallNanos.getAsLong() - nanos, ADJUST_EVERY_NANOS);
        long rate = clamp((ahead << RATE_SHIFT) / ADJUST_EVERY_NANOS, RATE_MAX);
        line = new Line(seen.number + 1, now, nanos, rate);
      }
      return nanos;
    }
  }

  private static long clamp(long value, long bound) {
    return Math.max(-bound, Math.min(bound, value));
  }
}
