package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/** At most N in every window, wherever it starts: remembers when each unit was taken. Immutable. */
public final class SlidingWindowLog implements Algorithm {
  /*
   * The log holds (time, units) of what was taken, oldest first; x is the sum of its units. What is
   * a whole period old no longer counts: taken at t, it is gone at t + period. A request fits when
   * the rest leaves room for it, so no half-open window (t - period, t] ever holds more than N (law
   * L1 of the log). Units taken at the same instant share an entry, so the log has at most N
   * entries of 16 bytes: exact, and its memory grows with the limit. A forced
   * charge into a log that has N entries joins the newest and makes it new.
   *
   * A change keeps the times as long as the period does not get shorter. If it does, entries may
   * already be too old for the new window although they were used: all that counted becomes one
   * entry at the instant of the change, which ends with the first new window.
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
      } else {
        long tooMany = used - (limit.count() - cost);
        step.deny(left, Stamps.freedIn(step.log(), limit, nowNanos, tooMany), reset);
      }
      return;
    }
    if (cost > 0) {
      Stamps.add(step.log(), limit, nowNanos, cost);
      step.x = Wide.add(used, cost);
      step.until = nowNanos + limit.periodNanos();
    }
    step.allow(Math.max(0, left - cost), step.x > 0 ? step.until - nowNanos : 0);
    step.ticket(Math.max(1, nowNanos));
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
    if (to.periodNanos() < from.periodNanos()) {
      Algorithm.super.change(step, from, to, nowNanos);
    } else {
      Stamps.dropOld(step, from, nowNanos);
      step.until += to.periodNanos() - from.periodNanos();
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
      step.until = step.log().time(step.log().size() - 1) + limit.periodNanos();
    }
  }
}
