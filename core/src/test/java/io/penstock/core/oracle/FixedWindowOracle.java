package io.penstock.core.oracle;

import io.penstock.core.Limit;

/** A count, when it ends, and when something was last added to it. */
final class FixedWindowOracle implements Oracle {
  private Limit limit;
  private long count;
  private long end;
  private long newest;

  FixedWindowOracle(Limit limit) {
    this.limit = limit;
  }

  private void moveOn(long now) {
    if (now >= end) {
      count = 0;
      end = CalendarWindow.at(limit, now).end();
    }
  }

  @Override
  public Answer take(long now, long cost) {
    moveOn(now);
    long left = Math.max(0, limit.count() - count);
    long wait = 0;
    if (cost > limit.count()) {
      wait = NEVER;
    } else if (cost > left) {
      wait = end - now;
    } else if (cost > 0) {
      charge(now, cost);
      left -= cost;
    }
    return new Answer(wait == 0, left, wait, count > 0 ? end - now : 0, 0, now);
  }

  @Override
  public void charge(long now, long cost) {
    moveOn(now);
    count += cost;
    newest = now;
    end = CalendarWindow.at(limit, now).end();
  }

  @Override
  public void refund(long now, long cost) {
    moveOn(now);
    count = Math.max(0, count - cost);
  }

  @Override
  public void cancel(long now, long cost, long takenAt) {
    if (CalendarWindow.at(limit, takenAt).start() == CalendarWindow.at(limit, now).start()) {
      refund(now, cost);
    }
  }

  @Override
  public Ratio used(long now) {
    moveOn(now);
    return Ratio.of(count);
  }

  @Override
  public void carry(long now, Ratio used) {
    count = 0;
    charge(now, used.ceil());
  }

  /** What was taken before the new window began ends no later than it would have. */
  @Override
  public void change(long now, Limit to) {
    moveOn(now);
    limit = to;
    CalendarWindow window = CalendarWindow.at(to, now);
    end = newest >= window.start() ? window.end() : Math.min(end, window.end());
  }
}
