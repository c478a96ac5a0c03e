package io.penstock.core.algorithm;

import io.penstock.core.Limit;

/**
 * Arithmetic on debts: times that are `nanos - x / denominator`, with 0 <= x < denominator, so that
 * a unit may take a fraction of a nanosecond and nothing is ever rounded away.
 */
final class Interval {
  /*
   * Differences such as `nanos * denominator - x` may wrap around on the way; their true values are
   * below 2^63 wherever they are used, so the wrapped result is the true one.
   */
  private Interval() {}

  /** The nanoseconds of debt + cost units; {@link #rounding} gives the x that belongs to it. */
  static long longer(Limit limit, long debt, long x, long cost) {
    long denominator = limit.unitDenominator();
    long numerator = limit.unitNumerator();
    if (denominator == 1 && cost <= limit.capacity()) {
      return debt + cost * numerator;
    }
    long added = Wide.mulAddDiv(cost, numerator, denominator - 1 - x, denominator);
    return debt + added;
  }

  static long rounding(Limit limit, long debt, long x, long cost, long next) {
    long denominator = limit.unitDenominator();
    return denominator == 1 || next - debt == Wide.MAX
        ? 0
        : x + (next - debt) * denominator - cost * limit.unitNumerator();
  }

  /** By how many whole nanoseconds, rounded up, a debt is above the capacity; <= 0 if it fits. */
  static long excess(Limit limit, long debt, long x) {
    long above = debt - limit.capacityNanos();
    return x >= capacityX(limit) ? above : above + 1;
  }

  /** The whole units between a debt and the capacity. */
  static long unitsLeft(Limit limit, long debt, long x) {
    long room = limit.capacityNanos() - debt;
    if (room <= 0) {
      return 0;
    }
    long denominator = limit.unitDenominator();
    if (denominator == 1) {
      return room / limit.unitNumerator();
    }
    long rest = denominator + x - capacityX(limit);
    return Wide.mulAddDiv(room - 1, denominator, rest, limit.unitNumerator());
  }

  static boolean isSame(Limit a, Limit b) {
    return a.unitNumerator() == b.unitNumerator() && a.unitDenominator() == b.unitDenominator();
  }

  private static long capacityX(Limit limit) {
    long denominator = limit.unitDenominator();
    return denominator == 1
        ? 0
        : limit.capacityNanos() * denominator - limit.capacity() * limit.unitNumerator();
  }
}
