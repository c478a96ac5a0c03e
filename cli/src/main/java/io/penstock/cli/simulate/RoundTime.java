package io.penstock.cli.simulate;

import java.util.TreeSet;

/** Round lengths of time, so that bins and ticks fall on instants people have names for. */
final class RoundTime {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1000 * MILLI;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  /** For bins: close enough that a timeline uses most of its width. */
  static final RoundTime FINE =
      new RoundTime(
          new double[] {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8},
          new double[] {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 10, 12, 15, 20, 30, 40},
          new double[] {1, 1.5, 2, 2.5, 3, 4, 6, 8, 12});

  /** For ticks: lengths that are easy to count in. */
  static final RoundTime COARSE =
      new RoundTime(
          new double[] {1, 2, 5},
          new double[] {1, 2, 5, 10, 15, 30},
          new double[] {1, 2, 3, 6, 12});

  private final TreeSet<Long> lengths = new TreeSet<>();

  private RoundTime(double[] decimals, double[] sixtieths, double[] hours) {
    for (long unit = 1000; unit < SECOND; unit *= 10) {
      add(decimals, unit);
    }
    add(sixtieths, SECOND);
    add(sixtieths, MINUTE);
    add(hours, HOUR);
    for (long unit = DAY; unit <= 1000 * DAY; unit *= 10) {
      add(decimals, unit);
    }
  }

  private void add(double[] multiples, long unit) {
    for (double multiple : multiples) {
      lengths.add(Math.round(multiple * unit));
    }
  }

  /** The shortest round length that is not below this one; above years, this one. */
  long atLeast(long nanos) {
    Long length = lengths.ceiling(nanos);
    return length == null ? nanos : length;
  }
}
