package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/** Nearly at most N in every window, from the counts of two aligned windows. Immutable. */
public final class SlidingWindowCounter implements Algorithm {
  /*
   * A window that slides overlaps the current aligned window and the end of the previous one.
   * Taking the previous count as spread evenly, its share is the part of it that the sliding window
   * still covers. Rounded up, so that the estimate is never too small:
   *     used(now) = current + ceil(previous * (end - now) / (end - start))
   * and a request fits when used + cost <= N. That formula is the bound (law L1 of the counter).
   *
   * The state is the end of the window after the current one (until: by then both counts weigh
   * nothing), the current count (x) and the previous one (y). If `until` is the end of the current
   * window, the state was written in the window before, and x is what that one counted.
   *
   * A change that keeps the period keeps both counts. Any other puts the estimate into the current
   * count of the new limit.
   */
  public SlidingWindowCounter() {}

  @Override
  public String name() {
    return "sliding-window-counter";
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    boolean same = isCurrent(step, limit, nowNanos);
    long current = same ? step.x : 0;
    long previous = same ? step.y : step.x;
    long used = Wide.add(current, weight(previous, limit, nowNanos));
    long left = Math.max(0, limit.count() - used);
    long reset = reset(current, previous, limit, nowNanos);
    if (cost > limit.count() && !step.forced()) {
      step.denyForever(left, reset);
      return;
    }
    if (cost > left && !step.forced()) {
      step.deny(left, waitFor(current, previous, limit, nowNanos, limit.count() - cost), reset);
      return;
    }
    if (cost > 0) {
      step.until = limit.nextWindowEnd(nowNanos);
      step.x = Wide.add(current, cost);
      step.y = previous;
    }
    step.allow(Math.max(0, left - cost), cost > 0 ? step.until - nowNanos : reset);
    step.ticket(Math.max(1, nowNanos));
  }

  private static boolean isCurrent(Step step, Limit limit, long nowNanos) {
    return step.until > limit.windowEnd(nowNanos);
  }

  private static long weight(long previous, Limit limit, long nowNanos) {
    long end = limit.windowEnd(nowNanos);
    return Wide.mulDivCeil(previous, end - nowNanos, end - limit.windowStart(nowNanos));
  }

  /*
   * The estimate falls to `room` when previous * (end - t) <= (room - current) * length, that is at
   * t = end - floor((room - current) * length / previous). If the current count alone is too much,
   * the same holds one window later, when it has become the previous one.
   */
  private static long waitFor(long current, long previous, Limit limit, long now, long room) {
    long end = limit.windowEnd(now);
    if (current <= room) {
      return end - now - Wide.mulAddDiv(room - current, end - limit.windowStart(now), 0, previous);
    }
    long nextEnd = limit.nextWindowEnd(now);
    return nextEnd - now - Wide.mulAddDiv(room, nextEnd - end, 0, current);
  }

  private static long reset(long current, long previous, Limit limit, long nowNanos) {
    if (current > 0) {
      return limit.nextWindowEnd(nowNanos) - nowNanos;
    }
    return previous > 0 ? limit.windowEnd(nowNanos) - nowNanos : 0;
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    boolean same = isCurrent(step, limit, nowNanos);
    long share = weight(same ? step.y : step.x, limit, nowNanos);
    step.used(Wide.add(same ? step.x : 0, share), 0, 1);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    step.x = step.usedCeil();
    step.y = 0;
    step.until = step.x > 0 ? limit.nextWindowEnd(nowNanos) : 0;
  }

  @Override
  public void change(Step step, Limit from, Limit to, long nowNanos) {
    if (!from.hasSameWindows(to, nowNanos)) {
      Algorithm.super.change(step, from, to, nowNanos);
    }
  }

  /** Comes out of the count of the window in which it was taken. */
  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    long start = limit.windowStart(nowNanos);
    boolean takenNow = ticket == 0 || ticket >= start;
    boolean takenBefore = !takenNow && ticket >= limit.windowStart(start - 1);
    boolean same = isCurrent(step, limit, nowNanos);
    if (same ? takenNow : takenBefore) {
      step.x = Math.max(0, step.x - cost);
    } else if (takenBefore) {
      step.y = Math.max(0, step.y - cost);
    }
  }
}
