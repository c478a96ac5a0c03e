package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Step;

/** What of the counts of a sliding counter still matters, in all and of one ticket. */
final class Counted {
  /*
   * A ticket is the instant at which units were taken; they are in the count of its window. When
   * the windows change they fade (Fade), and the ticket becomes minus the instant at which they are
   * gone. What others took may keep the whole from fading that fast, so this is the least of it.
   */
  private Counted() {}

  /** Whether the state was written in the window that holds this instant. */
  static boolean isCurrent(Step step, Limit limit, long nowNanos) {
    return step.until > limit.windowEnd(nowNanos);
  }

  /** How many units of the previous count still matter, rounded up. */
  static long weight(long previous, Limit limit, long nowNanos) {
    long end = limit.windowEnd(nowNanos);
    return Wide.mulDivCeil(previous, end - nowNanos, end - limit.windowStart(nowNanos));
  }

  static long follow(long ticket, Limit from, Limit to, long nowNanos) {
    boolean faded = ticket < 0;
    if (faded ? from.periodNanos() == to.periodNanos() : from.hasSameWindows(to, nowNanos)) {
      return ticket;
    }
    long left = units(to.periodNanos(), ticket, from, nowNanos);
    return left > 0 ? -(nowNanos + left) : Traced.GONE;
  }

  /** How many of the units still count, rounded down. */
  static long units(long units, long ticket, Limit limit, long nowNanos) {
    if (ticket < 0) {
      long left = Math.max(0, -ticket - nowNanos);
      return ticket == Traced.GONE ? 0 : Wide.mulAddDiv(units, left, 0, limit.periodNanos());
    }
    long start = limit.windowStart(nowNanos);
    if (ticket >= start) {
      return units;
    }
    long end = limit.windowEnd(nowNanos);
    boolean before = ticket >= limit.windowStart(start - 1);
    return before ? Wide.mulAddDiv(units, end - nowNanos, 0, end - start) : 0;
  }

  static void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    long faded = ticket < 0 ? units(cost, ticket, limit, nowNanos) : 0;
    if (Fade.isOn(step)) {
      Fade.giveBack(step, limit, nowNanos, ticket == 0 ? cost : faded);
      return;
    }
    long start = limit.windowStart(nowNanos);
    boolean same = isCurrent(step, limit, nowNanos);
    boolean takenNow = ticket == 0 || ticket >= start;
    boolean takenBefore = !takenNow && ticket >= limit.windowStart(start - 1);
    long before = takenBefore ? cost : 0;
    if (ticket < 0) {
      /* What faded has joined the previous count, and the rest of it the current one. */
      long end = limit.windowEnd(nowNanos);
      long first = same ? Math.min(faded, weight(step.y, limit, nowNanos)) : faded;
      before = Wide.mulAddDiv(first, end - start, 0, end - nowNanos);
      step.x = same ? Math.max(0, step.x - (faded - first)) : step.x;
    }
    if (same && takenNow) {
      step.x = Math.max(0, step.x - cost);
    } else if (same) {
      step.y = Math.max(0, step.y - before);
    } else {
      step.x = Math.max(0, step.x - before);
    }
  }
}
