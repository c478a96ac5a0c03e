package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Step;

/** The time that what is used takes to come back, as the state of a bucket or a queue. */
final class Debt {
  private Debt() {}

  /** Makes a debt the state, longer by a cost than it was. */
  static void keep(Step step, Limit limit, long nowNanos, long cost, long next) {
    if (Arrears.begin(step, next)) {
      used(step, limit, nowNanos);
      Arrears.owe(step, cost);
      return;
    }
    step.x = Interval.rounding(limit, Math.max(step.until - nowNanos, 0), step.x, cost, next);
    step.until = nowNanos + next;
  }

  /** Says how many units a debt is, or arrears are. */
  static void used(Step step, Limit limit, long nowNanos) {
    if (Arrears.is(step.until)) {
      step.used(Arrears.units(step.until), 0, 1);
      return;
    }
    long debt = step.until - nowNanos;
    if (debt <= 0) {
      step.used(0, 0, 1);
      return;
    }
    long numerator = limit.unitNumerator();
    long denominator = limit.unitDenominator();
    long whole = Wide.mulAddDiv(debt - 1, denominator, denominator - step.x, numerator);
    long part = debt * denominator - step.x - whole * numerator;
    step.used(whole, part, numerator);
  }

  /** Makes what is used a debt, rounded up by less than the smallest time step, or arrears. */
  static void carry(Step step, Limit limit, long nowNanos) {
    long debt = nanos(step, limit);
    if (isArrears(step, limit)) {
      Arrears.owe(step, /* cost= */ 0);
      return;
    }
    long units = step.usedWhole() * limit.unitNumerator() + part(step, limit);
    step.x = debt * limit.unitDenominator() - units;
    step.until = debt == 0 ? 0 : nowNanos + debt;
  }

  /** Whether what is used takes longer to come back than any debt. */
  static boolean isArrears(Step step, Limit limit) {
    return nanos(step, limit) >= Wide.MAX;
  }

  private static long nanos(Step step, Limit limit) {
    long denominator = limit.unitDenominator();
    long rest = part(step, limit) + denominator - 1;
    return Wide.mulAddDiv(step.usedWhole(), limit.unitNumerator(), rest, denominator);
  }

  private static long part(Step step, Limit limit) {
    return Wide.mulDivCeil(step.usedPart(), limit.unitNumerator(), step.usedOf());
  }

  /** Shortens the debt by cost units less the time that has passed since they were taken. */
  static void giveBack(Step step, Limit limit, long nowNanos, long cost, long elapsed) {
    if (Arrears.is(step.until)) {
      Arrears.giveBack(step, limit, nowNanos, cost, elapsed);
      return;
    }
    long debt = step.until - nowNanos;
    long denominator = limit.unitDenominator();
    long credit = Wide.mulAddDiv(cost, limit.unitNumerator(), step.x, denominator);
    if (debt <= 0 || credit <= elapsed) {
      return;
    }
    long left = debt - (credit - elapsed);
    boolean exact = left > 0 && denominator > 1 && credit < Wide.MAX;
    step.x = exact ? step.x + cost * limit.unitNumerator() - credit * denominator : 0;
    step.until = left > 0 ? nowNanos + left : 0;
  }
}
