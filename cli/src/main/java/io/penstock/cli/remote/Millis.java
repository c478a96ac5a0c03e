package io.penstock.cli.remote;

/** Times for people: {@code 250 ms}, {@code 12 s}, {@code 3 min 5 s}. */
final class Millis {
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Millis() {}

  /** Rounded up, so that waiting that long is enough. */
  static String told(long millis) {
    if (millis < 10 * SECOND) {
      return millis + " ms";
    }
    if (millis < MINUTE) {
      return up(millis, SECOND) + " s";
    }
    if (millis < HOUR) {
      return two(millis, MINUTE, "min", SECOND, "s");
    }
    return millis < DAY
        ? two(millis, HOUR, "h", MINUTE, "min")
        : two(millis, DAY, "days", HOUR, "h");
  }

  private static String two(long millis, long big, String name, long small, String smallName) {
    long smalls = up(millis, small);
    return smalls / (big / small) + " " + name + " " + smalls % (big / small) + " " + smallName;
  }

  private static long up(long millis, long unit) {
    return -Math.floorDiv(-millis, unit);
  }
}
