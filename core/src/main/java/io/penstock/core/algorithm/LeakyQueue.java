package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** Leaky bucket as a queue: constant output, and each caller is told when to run. Immutable. */
public final class LeakyQueue implements Algorithm {
  /*
   * Callers run one interval apart. `until` is the first place nobody has: a caller that comes now
   * gets place max(until, now), waits for it, and moves the tail one interval further. A place more
   * than `burst` intervals away is refused, so at most `burst` callers wait and no two places are
   * closer than an interval, in whole nanoseconds (law L1 of the queue). A cost of n takes n places
   * and runs at the first.
   *
   * Who gives up its wait frees its place. The last place moves the tail back. Any other leaves a
   * gap, (end, places) in the log, sorted: the next caller with cost 1 takes the earliest place of
   * the earliest gap, so spacing holds, and the places of gaps do not count as waiting.
   */
  public LeakyQueue() {}

  @Override
  public String name() {
    return "leaky-queue";
  }

  @Override
  public Shape shape(Limit limit) {
    return Shape.LOG;
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    Gaps.dropPassed(step.log(), limit, nowNanos);
    long debt = Math.max(step.until - nowNanos, 0);
    if (cost == 1 && step.log().size() > 0) {
      long place = Gaps.takeFirst(step.log(), limit);
      step.allow(free(step.log(), limit, debt, step.x), debt);
      step.waitNanos(place - nowNanos);
      step.ticket(Math.max(1, place));
      return;
    }
    long free = free(step.log(), limit, debt, step.x);
    if (cost - 1 > limit.capacity() && !step.forced()) {
      step.denyForever(free, debt);
      return;
    }
    long last = Interval.longer(limit, debt, step.x, Math.max(cost - 1, 0));
    long lastX = Interval.rounding(limit, debt, step.x, Math.max(cost - 1, 0), last);
    long excess = Interval.excess(limit, last, lastX);
    if (excess > 0 && cost > 0 && !step.forced()) {
      step.deny(free, excess, debt);
      return;
    }
    long next = Math.min(Interval.longer(limit, debt, step.x, cost), Wide.MAX);
    long nextX = Interval.rounding(limit, debt, step.x, cost, next);
    if (cost > 0) {
      Interval.keep(step, nowNanos, next, nextX);
    }
    step.allow(free(step.log(), limit, next, nextX), next);
    step.waitNanos(cost > 0 ? debt : 0);
    step.ticket(Math.max(1, nowNanos + debt));
  }

  /** How many more may wait: the places of gaps, and those from the tail to the end. */
  private static long free(Log gaps, Limit limit, long debt, long x) {
    boolean room = Interval.excess(limit, debt, x) <= 0;
    long places = room ? Interval.unitsLeft(limit, debt, x) + 1 : 0;
    return Math.min(limit.capacity(), places + Gaps.places(gaps));
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    Interval.used(step, limit, nowNanos);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    step.log().dropFirst(step.log().size());
    Interval.carry(step, limit, nowNanos);
  }

  /** The ticket is the place; one that has passed is used up, and the last one moves the tail. */
  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    if (ticket != 0 && ticket < nowNanos) {
      return;
    }
    long numerator = limit.unitNumerator();
    long denominator = limit.unitDenominator();
    long behind = ticket + Wide.mulAddDiv(cost, numerator, step.x, denominator);
    if (ticket == 0 || behind >= step.until) {
      Interval.giveBack(step, limit, nowNanos, cost, /* elapsed= */ 0);
      Gaps.trim(step.log(), limit, step.until);
    } else {
      Gaps.add(step.log(), ticket + Wide.mulDivCeil(cost, numerator, denominator), cost);
    }
  }
}
