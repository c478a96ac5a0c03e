package io.penstock.core.algorithm;

import io.penstock.core.Limit;

/** How long as many units take under one limit as fit in a time under another. */
final class Scale {
  private Scale() {}

  static long up(Limit from, Limit to, long nanos) {
    long whole = whole(from, nanos);
    long part = Wide.mulDivCeil(rest(from, nanos, whole), to.unitNumerator(), from.unitNumerator());
    long denominator = to.unitDenominator();
    return Wide.mulAddDiv(whole, to.unitNumerator(), part + denominator - 1, denominator);
  }

  static long down(Limit from, Limit to, long nanos) {
    long whole = whole(from, nanos);
    long rest = rest(from, nanos, whole);
    long part = Wide.mulAddDiv(rest, to.unitNumerator(), 0, from.unitNumerator());
    return Wide.mulAddDiv(whole, to.unitNumerator(), part, to.unitDenominator());
  }

  /** The ticket that is as many units ago as one that has passed. */
  static long passed(long ticket, Limit from, Limit to, long nowNanos) {
    long elapsed = up(from, to, nowNanos - ticket);
    return elapsed < nowNanos ? nowNanos - elapsed : Traced.GONE;
  }

  private static long whole(Limit from, long nanos) {
    return Wide.mulAddDiv(nanos, from.unitDenominator(), 0, from.unitNumerator());
  }

  private static long rest(Limit from, long nanos, long whole) {
    return nanos * from.unitDenominator() - whole * from.unitNumerator();
  }
}
