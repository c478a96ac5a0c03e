package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/** At most N in each window that is aligned to the clock or the calendar. Immutable. */
public final class FixedWindow implements Algorithm, Traced {
  /*
   * Time is cut into windows; each has a count, which starts at 0. The state is the end of the
   * window it counts (until) and the count (x): once that end has passed the state is empty by
   * itself. Hence at most N pass in an aligned window, and at most 2N in any span as long as one
   * (law L1 of the fixed window; the second N is the burst at the boundary).
   *
   * A change of the limit puts the count into the window of the new limit that holds the instant of
   * the change; it ends with that window. What was taken before that window began ends no later
   * than it would have: or a limit that changes again and again would never let go of it. So y is
   * when something was last taken.
   */
  public FixedWindow() {}

  @Override
  public String name() {
    return "fixed-window";
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    long left = Math.max(0, limit.count() - step.x);
    long reset = step.x > 0 ? step.until - nowNanos : 0;
    if (cost > left && !step.forced()) {
      if (cost > limit.count()) {
        step.denyForever(left, reset);
        step.moreAfterNanos(moreIn(step, limit, nowNanos));
      } else {
        step.deny(left, reset, reset);
      }
      return;
    }
    if (cost > 0) {
      /* Who comes late, or from where time is ahead (R23), finds a later window: it goes on. */
      step.until = Math.max(step.until, limit.windowEnd(nowNanos));
      step.x = Wide.add(step.x, cost);
      step.y = Math.max(step.y, nowNanos);
    }
    step.allow(Math.max(0, left - cost), step.x > 0 ? step.until - nowNanos : 0);
    step.moreAfterNanos(moreIn(step, limit, nowNanos));
    step.ticket(Math.max(1, nowNanos));
  }

  /** A window ends also if nothing was taken in it. */
  private static long moreIn(Step step, Limit limit, long nowNanos) {
    return (step.x > 0 ? step.until : limit.windowEnd(nowNanos)) - nowNanos;
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    step.used(step.until > nowNanos ? step.x : 0, 0, 1);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    step.x = step.usedCeil();
    step.y = step.x > 0 ? nowNanos : 0;
    step.until = step.x > 0 ? limit.windowEnd(nowNanos) : 0;
  }

  @Override
  public void change(Step step, Limit from, Limit to, long nowNanos) {
    long end = to.windowEnd(nowNanos);
    boolean within = step.y >= to.windowStart(nowNanos);
    step.until = within && step.x > 0 ? end : Math.min(end, step.until);
  }

  /** Only what was taken in the window that is still open comes back. */
  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    boolean counts = ticket == 0 || counted(cost, ticket, limit, nowNanos) > 0;
    if (counts) {
      step.x = Math.max(0, step.x - cost);
      step.until = step.x > 0 ? step.until : 0;
    }
  }

  /** What was taken before a window began has minus the end of its count for a ticket. */
  @Override
  public long follow(long ticket, Limit from, Limit to, long nowNanos) {
    long end = ticket > 0 ? from.windowEnd(ticket) : -ticket;
    if (end <= nowNanos) {
      return GONE;
    }
    boolean within = ticket >= to.windowStart(nowNanos);
    return within ? ticket : -Math.min(end, to.windowEnd(nowNanos));
  }

  @Override
  public long counted(long units, long ticket, Limit limit, long nowNanos) {
    return (ticket > 0 ? ticket >= limit.windowStart(nowNanos) : -ticket > nowNanos) ? units : 0;
  }
}
