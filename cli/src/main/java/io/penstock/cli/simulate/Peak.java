package io.penstock.cli.simulate;

/**
 * The most that passed in any half-open window (t - length, t]. Immutable.
 *
 * @param firstNanos when the first unit in that window passed
 * @param lastNanos when the last one did
 */
record Peak(long units, long firstNanos, long lastNanos, long lengthNanos) {
  /** How often {@code count} fits into it. */
  double ratio(long count) {
    return (double) units / count;
  }

  /** The middle of what passed. A window centred on it holds the peak. */
  long middleNanos() {
    return firstNanos + (lastNanos - firstNanos) / 2;
  }

  long fromNanos() {
    return Math.max(0, middleNanos() - lengthNanos / 2);
  }

  long toNanos() {
    return fromNanos() + lengthNanos;
  }
}
