package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Step;

/** What a key owes beyond the longest debt: so many units, which stand still. */
public final class Arrears {
  /*
   * A change to a slow limit may turn what was used into more time than a long holds: a million
   * units at 1/day are 2,738 years. Cut off, they would be forgotten when the limit is raised again
   *. So `until` tells them as units then, above every instant that a clock comes to. Nobody
   * sees such a debt end, so nothing of it drains until a limit makes it a debt again.
   */
  private static final long UNITS_MAX = 1L << 57;

  private static final long NONE = Long.MAX_VALUE - UNITS_MAX;

  /** The latest instant: whatever is added to it, up to {@link Wide#MAX}, is below all arrears. */
  public static final long LATEST = NONE - 1 - Wide.MAX;

  private Arrears() {}

  /** Whether the first word of a bucket or a queue is not an instant. */
  public static boolean is(long until) {
    return until >= NONE;
  }

  static long units(long until) {
    return until - NONE;
  }

  static long until(long units) {
    return NONE + Math.min(units, UNITS_MAX);
  }

  /** Whether a debt is to be arrears; one that is not forced is never so long. */
  static boolean begin(Step step, long debt) {
    return step.forced() && debt >= Wide.MAX;
  }

  /** Makes what the step says is used, and a cost, the state. */
  static void owe(Step step, long cost) {
    step.until = until(Wide.add(step.usedCeil(), cost));
    step.x = 0;
  }

  /** Takes off what a cost still counts; what is left may be a debt. */
  static void giveBack(Step step, Limit limit, long nowNanos, long cost, long elapsed) {
    long gone = Wide.mulDivCeil(elapsed, limit.unitDenominator(), limit.unitNumerator());
    long left = units(step.until) - Math.max(0, cost - gone);
    step.used(Math.max(0, left), /* part= */ 0, /* of= */ 1);
    Debt.carry(step, limit, nowNanos);
  }

  /** Decides if the state is arrears, of which nothing fits that is not forced. */
  static boolean decide(Step step, long most, long cost) {
    if (!is(step.until)) {
      return false;
    }
    if (cost > most && !step.forced()) {
      step.denyForever(/* remaining= */ 0, Wide.MAX);
    } else if (cost > 0 && !step.forced()) {
      step.deny(/* remaining= */ 0, Wide.MAX, Wide.MAX);
    } else {
      step.until = until(Wide.add(units(step.until), cost));
      step.allow(/* remaining= */ 0, Wide.MAX);
    }
    return true;
  }
}
