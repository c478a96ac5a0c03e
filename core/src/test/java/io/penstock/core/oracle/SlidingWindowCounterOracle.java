package io.penstock.core.oracle;

import io.penstock.core.Limit;
import java.util.HashMap;
import java.util.Map;

/** Counts each window, and guesses how much of the one before still matters. */
final class SlidingWindowCounterOracle implements Oracle {
  private Limit limit;
  private final Map<Long, Long> counts = new HashMap<>();

  SlidingWindowCounterOracle(Limit limit) {
    this.limit = limit;
  }

  /** After a change of the windows: a count that fades in one period, and when it is gone. */
  private long fading;

  private long gone;

  private CalendarWindow window(long now) {
    return CalendarWindow.at(limit, now);
  }

  private CalendarWindow before(CalendarWindow window) {
    return window(window.start() - 1);
  }

  private long count(CalendarWindow window) {
    return counts.getOrDefault(window.start(), 0L);
  }

  /** The published formula: current + ceil(previous * rest of the window / the window). */
  private long estimate(long now) {
    if (fading > 0) {
      Ratio share = Ratio.of(Math.max(0, gone - now), limit.periodNanos());
      return Ratio.of(fading).times(share).ceil();
    }
    CalendarWindow current = window(now);
    long previous = count(before(current));
    Ratio share = Ratio.of(current.end() - now, current.end() - current.start());
    return count(current) + Ratio.of(previous).times(share).ceil();
  }

  @Override
  public Answer take(long now, long cost) {
    long left = Math.max(0, limit.count() - estimate(now));
    long wait = 0;
    if (cost > limit.count()) {
      wait = NEVER;
    } else if (cost > left) {
      wait = waitFor(now, cost);
    } else if (cost > 0) {
      charge(now, cost);
      left -= cost;
    }
    return new Answer(wait == 0, left, wait, reset(now), 0, now);
  }

  /**
   * The estimate only falls, and is 0 when the next window ends: halve until the instant is found.
   */
  private long waitFor(long now, long cost) {
    long no = now;
    long yes = Math.max(gone, window(now).next(limit).end());
    while (yes - no > 1) {
      long middle = no + (yes - no) / 2;
      if (estimate(middle) + cost <= limit.count()) {
        yes = middle;
      } else {
        no = middle;
      }
    }
    return yes - now;
  }

  private long reset(long now) {
    CalendarWindow current = window(now);
    if (fading > 0) {
      return Math.max(0, gone - now);
    }
    if (count(current) > 0) {
      return current.next(limit).end() - now;
    }
    return count(before(current)) > 0 ? current.end() - now : 0;
  }

  /**
   * What will be left at the end of this window joins its count, the rest that of the one before.
   */
  @Override
  public void charge(long now, long cost) {
    CalendarWindow current = window(now);
    long used = estimate(now);
    if (fading > 0) {
      long left = estimate(current.end());
      Ratio spread = Ratio.of(current.end() - current.start(), current.end() - now);
      Ratio slope = Ratio.of(current.end() - current.start(), limit.periodNanos());
      long steepest = Ratio.of(fading).times(slope).ceil();
      long gone = atMost(Ratio.of(used - left).times(spread));
      counts.put(before(current).start(), Math.min(steepest, gone));
      counts.put(current.start(), left);
    }
    fading = 0;
    counts.merge(current.start(), cost, Long::sum);
  }

  /** No count is larger than that. */
  private static long atMost(Ratio count) {
    return count.min(DEBT_NANOS_MAX).floor();
  }

  @Override
  public void refund(long now, long cost) {
    if (fading > 0) {
      fade(now, Math.max(0, estimate(now) - cost), gone);
    } else {
      CalendarWindow current = window(now);
      long newest = Math.min(cost, count(current));
      cancel(now, newest, now);
      Ratio spread = Ratio.of(current.end() - current.start(), current.end() - now);
      long kept = Math.max(0, estimate(now) - count(current) - (cost - newest));
      counts.computeIfPresent(
          before(current).start(),
          (start, count) -> Math.min(count, atMost(Ratio.of(kept).times(spread))));
    }
  }

  /** Out of the count of the window in which it was taken. */
  @Override
  public void cancel(long now, long cost, long takenAt) {
    counts.computeIfPresent(window(takenAt).start(), (start, count) -> Math.max(0, count - cost));
  }

  @Override
  public Ratio used(long now) {
    return Ratio.of(estimate(now));
  }

  @Override
  public void carry(long now, Ratio used) {
    fade(now, used.ceil(), now + limit.periodNanos());
  }

  /** As much is used as before, and it is gone by an instant within a period. */
  private void fade(long now, long used, long until) {
    counts.clear();
    fading = 0;
    gone = until;
    if (used > 0) {
      fading = atMost(Ratio.of(used).times(Ratio.of(limit.periodNanos(), until - now)));
    }
  }

  /** What would have been gone after a share of a period is gone after that share of the new. */
  @Override
  public void change(long now, Limit to) {
    CalendarWindow current = window(now);
    boolean sameWindows =
        current.equals(CalendarWindow.at(to, now)) && current.next(limit).equals(current.next(to));
    long used = estimate(now);
    Ratio share = Ratio.of(current.end() - now, current.end() - current.start());
    if (fading > 0) {
      share = Ratio.of(Math.max(0, gone - now), limit.periodNanos());
    } else if (count(current) > 0) {
      share = Ratio.of(1);
    }
    boolean fades = fading > 0;
    limit = to;
    if (fades) {
      goOn(now, used, share.times(Ratio.of(to.periodNanos())));
    } else if (!sameWindows) {
      fade(now, used, now + share.times(Ratio.of(to.periodNanos())).ceil());
    }
  }

  /** The same count goes on to fade, for so long as leaves as much used as before. */
  private void goOn(long now, long used, Ratio left) {
    gone = now + left.floor();
    if (estimate(now) < used) {
      gone = now + left.ceil();
    }
    if (estimate(now) != used) {
      fade(now, used, gone);
    }
  }
}
