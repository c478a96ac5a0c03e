package io.penstock.server.fields;

/** Times as callers are told them: rounded up, so that waiting so long is enough. */
public final class Whole {
  private static final long MILLI_NANOS = 1_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long ROUNDING_DIVISOR = 1_000_000;

  private Whole() {}

  public static long millis(long nanos) {
    return -Math.floorDiv(-nanos, MILLI_NANOS);
  }

  public static long seconds(long nanos) {
    return -Math.floorDiv(-nanos, SECOND_NANOS);
  }

  /**
   * The same until everything is back, but for what comes of an interval that is rounded up to
   * whole nanoseconds: at most a millionth of the time, and a nanosecond for each unit that fits.
   */
  public static long secondsUntilFull(long nanos, long capacity) {
    return seconds(nanos - Math.min(nanos / ROUNDING_DIVISOR, capacity));
  }
}
