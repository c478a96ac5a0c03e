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

  /*
   * Who read the clock early may come late, when the window after it is counted; so may a state
   * that came from where time is ahead (R23). Shares of one window say nothing of another, so it is
   * decided as of the beginning of the one that is counted.
   */
  /** How long until what the state counts began, a window or to fade; 0 if it has. */
  static long late(Step step, Limit limit, long nowNanos) {
    long untilFades = Fade.isOn(step) ? step.until - limit.periodNanos() - nowNanos : 0;
    if (Fade.isOn(step) || step.until <= limit.nextWindowEnd(nowNanos)) {
      return Math.max(0, untilFades);
    }
    return limit.windowStart(limit.windowStart(step.until - 1) - 1) - nowNanos;
  }

  /** Tells an answer as of so many nanoseconds before it was given. */
  static void tellAsOf(Step step, long late) {
    long reset = step.resetAfterNanos() > 0 ? step.resetAfterNanos() + late : 0;
    long more = step.moreAfterNanos() > 0 ? step.moreAfterNanos() + late : 0;
    long ticket = step.ticket();
    if (step.allowed()) {
      step.allow(step.remaining(), reset);
      step.ticket(ticket);
    } else if (step.never()) {
      step.denyForever(step.remaining(), reset);
    } else {
      step.deny(step.remaining(), step.retryAfterNanos() + late, reset);
    }
    step.moreAfterNanos(more);
  }

  /** Whether the state was written in the window that holds this instant. */
  static boolean isCurrent(Step step, Limit limit, long nowNanos) {
    return step.until > limit.windowEnd(nowNanos);
  }

  /** How many units of the previous count still matter, rounded up. */
  static long weight(long previous, Limit limit, long nowNanos) {
    long end = limit.windowEnd(nowNanos);
    return Wide.mulDivCeil(previous, end - nowNanos, end - limit.windowStart(nowNanos));
  }

  /** The estimate, whatever fades left aside. */
  static long used(Step step, Limit limit, long nowNanos) {
    long then = nowNanos + late(step, limit, nowNanos);
    boolean same = isCurrent(step, limit, then);
    return Wide.add(same ? step.x : 0, weight(same ? step.y : step.x, limit, then));
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
      long left = Math.min(Math.max(0, -ticket - nowNanos), limit.periodNanos());
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

  /*
   * A refund is of the newest units, so it lowers the current count first; what faded has joined
   * the previous count, and only what would have outlived it the current one. A refund leaves
   * exactly so much less; a ticket gets no fraction that may be another's.
   */
  static void giveBack(Step step, Limit limit, long now, long cost, long ticket) {
    long nowNanos = now + late(step, limit, now);
    if (Fade.isOn(step)) {
      long faded = ticket < 0 ? units(cost, ticket, limit, nowNanos) : 0;
      Fade.giveBack(step, limit, nowNanos, ticket == 0 ? cost : faded);
      return;
    }
    boolean same = isCurrent(step, limit, nowNanos);
    long current = same ? step.x : 0;
    long previous = same ? step.y : step.x;
    long start = limit.windowStart(nowNanos);
    if (ticket > 0) {
      boolean before = ticket < start && ticket >= limit.windowStart(start - 1);
      current -= ticket >= start ? cost : 0;
      previous -= before ? cost : 0;
    } else {
      long used = ticket == 0 ? cost : units(cost, ticket, limit, nowNanos);
      long weight = weight(previous, limit, nowNanos);
      long older = Math.min(ticket == 0 ? Math.max(0, used - current) : used, weight);
      long end = limit.windowEnd(nowNanos);
      long rest = Wide.mulAddDiv(weight - older, end - start, 0, end - nowNanos);
      long part = Wide.mulAddDiv(older, end - start, 0, end - nowNanos);
      previous = ticket == 0 ? Math.min(previous, rest) : previous - part;
      current -= used - older;
    }
    step.x = Math.max(0, same ? current : previous);
    step.y = same ? Math.max(0, previous) : step.y;
  }
}
