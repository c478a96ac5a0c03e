package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** How the end of a queue moves back, over places that were given up. */
final class Retreat {
  private Retreat() {}

  /*
   * A ticket tells the first place rounded up, so that one more may be counted than is ahead.
   * Arrears tell no places.
   */
  /** Frees those places of a ticket that are ahead: the last move the tail, others are a gap. */
  static void giveUp(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    boolean arrears = Arrears.is(step.until);
    long counted = Places.counted(cost, ticket, limit, nowNanos);
    long behind = Places.at(step, limit, ticket) - cost;
    long left = Places.ahead(step, limit, nowNanos) - behind;
    long ahead = arrears ? counted : Math.min(counted, left);
    long first = Gaps.outside(step, limit, behind + ahead, ahead);
    if (ahead > 0 && first > ahead && !arrears) {
      Gaps.add(step, limit, first - ahead, ahead);
    } else if (ahead > 0) {
      moveBackOnce(step, limit, nowNanos, ahead);
    }
  }

  /** Frees the last places that are ahead; the tail moves to the last one that is left. */
  static void moveBack(Step step, Limit limit, long nowNanos, long places) {
    Log gaps = step.log();
    long left = places;
    while (left > 0) {
      int last = gaps.size() - 1;
      long taken =
          last < 0 ? ahead(step, limit, nowNanos) : Math.max(1, Gaps.behind(step, limit, last));
      if (taken == 0) {
        return;
      }
      long part = Math.min(left, taken);
      moveBackOnce(step, limit, nowNanos, part);
      left -= part;
    }
  }

  /** The places from now to the tail; who has run has used its place up. */
  private static long ahead(Step step, Limit limit, long nowNanos) {
    return Arrears.is(step.until) ? Arrears.units(step.until) : Places.ahead(step, limit, nowNanos);
  }

  /** Frees the last places, none of which is in a gap, and those of gaps that are the last then. */
  static void moveBackOnce(Step step, Limit limit, long nowNanos, long places) {
    Log gaps = step.log();
    Debt.giveBack(step, limit, nowNanos, places, /* elapsed= */ 0);
    for (int i = gaps.size() - 1; i >= 0 && Gaps.behind(step, limit, i) == 0; i--) {
      Debt.giveBack(step, limit, nowNanos, gaps.amount(i), /* elapsed= */ 0);
      gaps.dropLast();
    }
  }
}
