package io.penstock.core.oracle;

import io.penstock.core.Limit;
import java.util.HashMap;
import java.util.Map;

/** A count for each window, by its start. */
final class FixedWindowOracle implements Oracle {
  private Limit limit;
  private final Map<Long, Long> counts = new HashMap<>();

  FixedWindowOracle(Limit limit) {
    this.limit = limit;
  }

  @Override
  public Answer take(long now, long cost) {
    CalendarWindow window = CalendarWindow.at(limit, now);
    long count = counts.getOrDefault(window.start(), 0L);
    long left = Math.max(0, limit.count() - count);
    long wait = 0;
    if (cost > limit.count()) {
      wait = NEVER;
    } else if (cost > left) {
      wait = window.end() - now;
    } else {
      count += cost;
      left = Math.max(0, limit.count() - count);
      counts.put(window.start(), count);
    }
    long reset = count > 0 ? window.end() - now : 0;
    return new Answer(wait == 0, left, wait, reset, 0, now);
  }

  @Override
  public void charge(long now, long cost) {
    counts.merge(CalendarWindow.at(limit, now).start(), cost, Long::sum);
  }

  @Override
  public void refund(long now, long cost) {
    counts.computeIfPresent(
        CalendarWindow.at(limit, now).start(), (start, count) -> Math.max(0, count - cost));
  }

  @Override
  public void cancel(long now, long cost, long takenAt) {
    if (CalendarWindow.at(limit, takenAt).start() == CalendarWindow.at(limit, now).start()) {
      refund(now, cost);
    }
  }

  @Override
  public Ratio used(long now) {
    return Ratio.of(counts.getOrDefault(CalendarWindow.at(limit, now).start(), 0L));
  }

  @Override
  public void carry(long now, Ratio used) {
    counts.clear();
    counts.put(CalendarWindow.at(limit, now).start(), used.ceil());
  }

  @Override
  public void change(long now, Limit to) {
    Ratio used = used(now);
    limit = to;
    carry(now, used);
  }
}
