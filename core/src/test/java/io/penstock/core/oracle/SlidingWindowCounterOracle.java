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
    } else {
      counts.merge(window(now).start(), cost, Long::sum);
      left -= cost;
    }
    return new Answer(wait == 0, left, wait, reset(now), 0, now);
  }

  /**
   * The estimate only falls, and is 0 when the next window ends: halve until the instant is found.
   */
  private long waitFor(long now, long cost) {
    long no = now;
    long yes = window(now).next(limit).end();
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
    if (count(current) > 0) {
      return current.next(limit).end() - now;
    }
    return count(before(current)) > 0 ? current.end() - now : 0;
  }

  @Override
  public void charge(long now, long cost) {
    counts.merge(window(now).start(), cost, Long::sum);
  }

  @Override
  public void refund(long now, long cost) {
    cancel(now, cost, now);
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
    counts.clear();
    counts.put(window(now).start(), used.ceil());
  }

  @Override
  public void change(long now, Limit to) {
    boolean sameWindows =
        window(now).equals(CalendarWindow.at(to, now))
            && window(now).next(limit).equals(window(now).next(to));
    long used = estimate(now);
    limit = to;
    if (!sameWindows) {
      carry(now, Ratio.of(used));
    }
  }
}
