package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** How the end of a queue moves back, over places that were given up. */
final class Retreat {
  private static final long ROUNDED_NANOS = 3;

  private Retreat() {}

  /*
   * Places are told in whole nanoseconds, rounded up, and so are gaps: where an interval has a
   * fraction, some nanoseconds may lie between two places that are side by side, or behind the
   * last. A place may be as many shorter, and is never taken for what rounding left.
   */
  static long slack(Limit limit) {
    long interval = limit.unitNumerator() / limit.unitDenominator();
    long most = Math.max(0, interval - ROUNDED_NANOS);
    return limit.unitDenominator() == 1 ? 0 : Math.min(ROUNDED_NANOS, most);
  }

  /** Whether there is a place between an instant and the tail. */
  static boolean isBehind(Step step, Limit limit, long nanos) {
    return !Arrears.is(step.until) && step.until - nanos > slack(limit);
  }

  /** Frees the last places that are taken; the tail moves to the last one that is left. */
  static void moveBack(Step step, Limit limit, long nowNanos, long places) {
    Log gaps = step.log();
    moveOverGaps(step, limit, nowNanos);
    for (long left = places; left > 0 && step.until > nowNanos; ) {
      boolean alone = gaps.size() == 0;
      long part = alone ? left : Math.min(left, behindGaps(step, limit));
      Debt.giveBack(step, limit, nowNanos, part, /* elapsed= */ 0);
      left -= part;
      moveOverGaps(step, limit, nowNanos);
    }
  }

  /*
   * What rounding left behind the instant is nobody's. Arrears tell no places: if they become a
   * debt, all that is left behind it is others'.
   */
  /** Frees the last places, which begin at an instant. */
  static void moveBackTo(Step step, Limit limit, long nowNanos, long first, long places) {
    moveBack(step, limit, nowNanos, places);
    if (!Arrears.is(step.until) && step.until > first && !isBehind(step, limit, first)) {
      step.until = first > nowNanos ? first : 0;
      step.x = 0;
    }
  }

  /** The places between the last gap and the tail: all are taken. */
  private static long behindGaps(Step step, Limit limit) {
    long numerator = limit.unitNumerator();
    long nanos = step.until - step.log().time(step.log().size() - 1);
    return Wide.mulAddDiv(nanos, limit.unitDenominator(), numerator - 1 - step.x, numerator);
  }

  /** A whole gap at a time: it may have more places than anybody could count. */
  private static void moveOverGaps(Step step, Limit limit, long nowNanos) {
    Log gaps = step.log();
    for (int i = gaps.size() - 1; i >= 0 && !isBehind(step, limit, gaps.time(i)); i--) {
      long start = Math.min(step.until, Gaps.start(gaps, limit, i));
      step.until = start - nowNanos > slack(limit) ? start : 0;
      step.x = 0;
      gaps.dropLast();
    }
  }
}
