package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/** At most N in every window, wherever it starts: remembers when each unit was taken. Immutable. */
public final class SlidingWindowLog implements Algorithm, Traced {
  /*
   * The log holds (time, units) of what was taken, oldest first; x is the sum of its units. What is
   * a whole period old no longer counts: taken at t, it is gone at t + period. A request fits when
   * the rest leaves room for it, so no half-open window (t - period, t] ever holds more than N (law
   * L1 of the log). Units taken at the same instant share an entry, so the log has at most N
   * entries of 16 bytes: exact, and its memory grows with the limit. A forced
   * charge into a log that has N entries joins the newest and makes it new.
   *
   * A change keeps the times. If the period gets shorter, entries may already be too old for the
   * new window although they were used. So the window narrows from the length it has to the new
   * period, in one new period and evenly: what had a share of its time left keeps that share, and
   * nothing is ever counted longer than the longest period, however often the limit changes.
   */
  public SlidingWindowLog() {}

  @Override
  public String name() {
    return "sliding-window-log";
  }

  @Override
  public Shape shape(Limit limit) {
    return Shape.LOG;
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    long used = Stamps.dropOld(step, limit, nowNanos);
    long left = Math.max(0, limit.count() - used);
    long reset = used > 0 ? step.until - nowNanos : 0;
    if (cost > left && !step.forced()) {
      if (cost > limit.count()) {
        step.denyForever(left, reset);
        step.moreAfterNanos(More.ofStamps(step, limit, nowNanos));
      } else {
        long tooMany = used - (limit.count() - cost);
        step.deny(left, Stamps.freedIn(step.log(), limit, nowNanos, tooMany), reset);
      }
      return;
    }
    /* Who read the clock early may come late: as if with the newest, which must not end sooner. */
    int newest = step.log().size() - 1;
    long time = newest < 0 ? nowNanos : Math.max(nowNanos, step.log().time(newest));
    if (cost > 0) {
      /* The sum stays exact: one that was cut off would be too small when entries leave. */
      long taken = Math.min(cost, Long.MAX_VALUE - used);
      Stamps.add(step.log(), limit, time, taken);
      step.x = used + taken;
      step.until = time + limit.periodNanos();
    }
    step.allow(Math.max(0, left - cost), step.x > 0 ? step.until - nowNanos : 0);
    step.moreAfterNanos(More.ofStamps(step, limit, nowNanos));
    step.ticket(Math.max(1, time));
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    step.used(Stamps.dropOld(step, limit, nowNanos), 0, 1);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    step.log().dropFirst(step.log().size());
    step.x = step.usedCeil();
    step.until = step.x > 0 ? nowNanos + limit.periodNanos() : 0;
    if (step.x > 0) {
      step.log().append(nowNanos, step.x);
    }
  }

  @Override
  public void change(Step step, Limit from, Limit to, long nowNanos) {
    long window = Stamps.window(step.log(), from, nowNanos);
    Stamps.dropOld(step, from, nowNanos);
    if (step.log().size() > 0) {
      Stamps.narrow(step.log(), to, nowNanos, window);
      step.until = Stamps.lastEnd(step.log(), to);
    }
  }

  /** Takes the units out of the entry they were put in; without a ticket, out of the newest. */
  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    Stamps.dropOld(step, limit, nowNanos);
    Stamps.remove(step, cost, ticket);
    if (step.x == 0) {
      step.clear();
    } else {
      step.until = Stamps.lastEnd(step.log(), limit);
    }
  }

  @Override
  public long follow(long ticket, Limit from, Limit to, long nowNanos) {
    return counted(/* units= */ 1, ticket, from, nowNanos) > 0 ? ticket : GONE;
  }

  @Override
  public long counted(long units, long ticket, Limit limit, long nowNanos) {
    return ticket + limit.periodNanos() > nowNanos ? units : 0;
  }
}
