package io.penstock.cli.simulate;

import java.util.Locale;

/** Times as people write them. */
final class TimeText {
  private static final long MICRO = 1_000L;
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private TimeText() {}

  /** A length of time: {@code 450ms}, {@code 59.4s}, {@code 2min 5s}, {@code 3hour}. */
  static String length(long nanos) {
    if (nanos == 0) {
      return "0s";
    }
    if (nanos < MILLI) {
      return decimal(nanos, MICRO) + "µs";
    }
    if (nanos < SECOND) {
      return decimal(nanos, MILLI) + "ms";
    }
    if (nanos < MINUTE) {
      return decimal(nanos, SECOND) + "s";
    }
    if (nanos < HOUR) {
      return parts(nanos, MINUTE, "min", SECOND, "s");
    }
    return nanos < DAY
        ? parts(nanos, HOUR, "hour", MINUTE, "min")
        : parts(nanos, DAY, "day", HOUR, "hour");
  }

  /** An instant, counted from the start: {@code 0.45s}, {@code 59s}, {@code 1:01}. */
  static String instant(long nanos) {
    if (nanos < MINUTE) {
      return decimal(nanos, SECOND) + "s";
    }
    long seconds = Math.floorDiv(nanos, SECOND);
    if (nanos < HOUR) {
      long tenth = nanos % SECOND / (SECOND / 10);
      String text = String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
      return tenth == 0 ? text : text + "." + tenth;
    }
    long minutes = seconds / 60;
    if (nanos < DAY) {
      return String.format(Locale.ROOT, "%d:%02d:%02d", minutes / 60, minutes % 60, seconds % 60);
    }
    long hours = minutes / 60;
    String day = "day " + (hours / 24 + 1);
    return nanos % DAY == 0
        ? day
        : String.format(Locale.ROOT, "%s %02d:%02d", day, hours % 24, minutes % 60);
  }

  private static String parts(long nanos, long unit, String name, long part, String partName) {
    long whole = nanos / unit;
    long rest = nanos % unit / part;
    return whole + name + (rest == 0 ? "" : " " + rest + partName);
  }

  /** Three digits, or as many as are before the point; no zeros at the end. */
  private static String decimal(long nanos, long unit) {
    double number = (double) nanos / unit;
    int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
    String text = String.format(Locale.ROOT, "%." + decimals + "f", number);
    return decimals == 0 ? text : text.replaceFirst("\\.?0+$", "");
  }
}
