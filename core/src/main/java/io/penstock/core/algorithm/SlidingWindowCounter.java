package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/** Nearly at most N in every window, from the counts of two aligned windows. Immutable. */
public final class SlidingWindowCounter implements Algorithm, Traced {
  /*
   * A window that slides overlaps the current aligned window and the end of the previous one.
   * Taking the previous count as spread evenly, its share is the part of it that the sliding window
   * still covers. Rounded up, so that the estimate is never too small:
   *     used(now) = current + ceil(previous * (end - now) / (end - start))
   * and a request fits when used + cost <= N. That formula is the bound (law L1 of the counter).
   *
   * The state is the end of the next window (until: by then both counts weigh nothing), the current
   * count (x) and the previous one (y). If `until` is the end of the current window, the state was
   * written in the window before, and x is what that one counted.
   *
   * A change that keeps the windows keeps both counts. After any other the estimate fades (Fade).
   */
  public SlidingWindowCounter() {}

  @Override
  public String name() {
    return "sliding-window-counter";
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    long late = Counted.late(step, limit, nowNanos);
    if (Fade.isOn(step)) {
      Fade.decide(step, limit, nowNanos + late, cost);
    } else {
      decideWindow(step, limit, nowNanos + late, cost);
    }
    if (late > 0) {
      Counted.tellAsOf(step, late);
    }
  }

  private static void decideWindow(Step step, Limit limit, long nowNanos, long cost) {
    boolean same = Counted.isCurrent(step, limit, nowNanos);
    long current = same ? step.x : 0;
    long previous = same ? step.y : step.x;
    long used = Wide.add(current, Counted.weight(previous, limit, nowNanos));
    long left = Math.max(0, limit.count() - used);
    long end = current > 0 ? limit.nextWindowEnd(nowNanos) : limit.windowEnd(nowNanos);
    long reset = current > 0 || previous > 0 ? end - nowNanos : 0;
    if (cost > left && !step.forced()) {
      if (cost > limit.count()) {
        step.denyForever(left, reset);
        step.moreAfterNanos(More.ofWindows(current, previous, limit, nowNanos, left));
      } else {
        long room = limit.count() - cost;
        step.deny(left, More.fallenIn(current, previous, limit, nowNanos, room), reset);
      }
      return;
    }
    if (cost > 0) {
      step.until = limit.nextWindowEnd(nowNanos);
      step.x = Wide.add(current, cost);
      step.y = previous;
    }
    step.allow(Math.max(0, left - cost), cost > 0 ? step.until - nowNanos : reset);
    long now = Wide.add(current, cost);
    step.moreAfterNanos(More.ofWindows(now, previous, limit, nowNanos, step.remaining()));
    step.ticket(Math.max(1, nowNanos));
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    boolean fades = Fade.isOn(step);
    long used = fades ? Fade.units(step, limit, nowNanos) : Counted.used(step, limit, nowNanos);
    step.used(used, /* part= */ 0, /* of= */ 1);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    Fade.start(step, limit, nowNanos, limit.periodNanos());
  }

  @Override
  public void change(Step step, Limit from, Limit to, long nowNanos) {
    if (Fade.isOn(step)) {
      Fade.goOn(step, from, to, nowNanos);
    } else if (!from.hasSameWindows(to, nowNanos)) {
      boolean current = Counted.isCurrent(step, from, nowNanos) && step.x > 0;
      used(step, from, nowNanos);
      Fade.begin(step, from, to, nowNanos, current);
    }
  }

  /** Comes out of the count of the window in which it was taken. */
  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    Counted.giveBack(step, limit, nowNanos, cost, ticket);
  }

  @Override
  public long follow(long ticket, Limit from, Limit to, long nowNanos) {
    return Counted.follow(ticket, from, to, nowNanos);
  }

  @Override
  public long counted(long units, long ticket, Limit limit, long nowNanos) {
    return Counted.units(units, ticket, limit, nowNanos);
  }

  @Override
  public long carried(Limit limit, long nowNanos) {
    return -(nowNanos + limit.periodNanos());
  }
}
