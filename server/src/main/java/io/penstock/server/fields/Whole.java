package io.penstock.server.fields;

/** Times as callers are told them: rounded up, so that waiting so long is enough. */
public final class Whole {
  private static final long MILLI_NANOS = 1_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;

  private Whole() {}

  public static long millis(long nanos) {
    return -Math.floorDiv(-nanos, MILLI_NANOS);
  }

  public static long seconds(long nanos) {
    return -Math.floorDiv(-nanos, SECOND_NANOS);
  }
}
