package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** The end of a queue: how far it is, how near it must be, and how it moves on. */
final class Tail {
  private Tail() {}

  /** Refuses a cost for which too many wait; tells whether it did. */
  static boolean refuse(Step step, Limit limit, long nowNanos, long cost) {
    long debt = Math.max(step.until - nowNanos, 0);
    long room = limit.capacity() - (cost - 1);
    long wait = room < 0 ? 0 : waitFor(step, limit, nowNanos, room);
    if (room < 0) {
      step.denyForever(free(step, limit, nowNanos), debt);
      step.moreAfterNanos(More.ofQueue(step, limit, nowNanos, step.remaining()));
    } else if (wait > 0) {
      step.deny(free(step, limit, nowNanos), wait, debt);
    }
    return room < 0 || wait > 0;
  }

  /** Moves the tail on by a cost; tells whether it did, or refused it beyond the longest debt. */
  static boolean lengthen(Step step, Limit limit, long nowNanos, long cost) {
    long debt = Math.max(step.until - nowNanos, 0);
    long next = Interval.longer(limit, debt, step.x, cost);
    if (next > Wide.MAX && !step.forced()) {
      step.deny(free(step, limit, nowNanos), next - Wide.MAX, debt);
      return false;
    }
    if (Arrears.begin(step, next)) {
      held(step, limit, nowNanos);
      step.log().dropFirst(step.log().size());
      Arrears.owe(step, cost);
    } else {
      Debt.keep(step, limit, nowNanos, cost, next);
    }
    return true;
  }

  /*
   * With g places in gaps, `room` places are enough from until - (room + g) * interval on. Gaps
   * that have begun by then are passing, and each of their places makes it an interval later: what
   * fits at the very instant at which one begins does not fit a nanosecond after that.
   */
  /** How long until at most {@code room} places are taken for good; not above 0 if so now. */
  static long waitFor(Step step, Limit limit, long nowNanos, long room) {
    Log gaps = step.log();
    long places = room + Gaps.places(gaps);
    long wait = excess(step, limit, nowNanos, places);
    for (int i = 0;
        i < gaps.size() && isPassing(limit, wait, Gaps.start(step, limit, i) - nowNanos);
        i++) {
      places -= gaps.amount(i);
      wait = excess(step, limit, nowNanos, places);
    }
    return wait;
  }

  /* Places less than two nanoseconds apart begin at nearly every instant there is. */
  private static boolean isPassing(Limit limit, long wait, long start) {
    boolean apart = limit.unitNumerator() / limit.unitDenominator() > 1;
    return apart ? wait > 0 && wait >= start : wait > start;
  }

  private static long excess(Step step, Limit limit, long nowNanos, long places) {
    return More.drainedIn(limit, step.until - nowNanos, step.x, places);
  }

  /** How many more may wait. */
  static long free(Step step, Limit limit, long nowNanos) {
    Debt.used(step, limit, nowNanos);
    long behind = limit.capacity() + 1 - Math.min(step.usedCeil(), Wide.MAX);
    return Math.max(0, Math.min(limit.capacity(), behind + Gaps.places(step.log())));
  }

  /** Says how many of the places ahead somebody has. */
  static void held(Step step, Limit limit, long nowNanos) {
    Debt.used(step, limit, nowNanos);
    long held = step.usedWhole() - Gaps.places(step.log());
    step.used(Math.max(0, held), held < 0 ? 0 : step.usedPart(), step.usedOf());
  }
}
