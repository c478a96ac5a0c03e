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
    dropPassed(step.log(), limit, nowNanos);
    long debt = Math.max(step.until - nowNanos, 0);
    long free = free(step.log(), limit, debt, step.x);
    if (cost == 1 && step.log().size() > 0) {
      long place = takeGap(step.log(), limit);
      step.allow(free(step.log(), limit, debt, step.x), debt);
      step.waitNanos(place - nowNanos);
      step.ticket(Math.max(1, place));
      return;
    }
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
    for (int i = 0; i < gaps.size(); i++) {
      places += gaps.amount(i);
    }
    return Math.min(limit.capacity(), places);
  }

  private static void dropPassed(Log gaps, Limit limit, long nowNanos) {
    while (gaps.size() > 0 && gaps.time(0) <= nowNanos) {
      gaps.dropFirst(1);
    }
    if (gaps.size() > 0) {
      long ahead = gaps.time(0) - nowNanos;
      long left = Wide.mulAddDiv(ahead, limit.unitDenominator(), 0, limit.unitNumerator());
      if (left == 0) {
        gaps.dropFirst(1);
        dropPassed(gaps, limit, nowNanos);
      } else if (left < gaps.amount(0)) {
        gaps.replaceFirst(gaps.time(0), left);
      }
    }
  }

  private static long takeGap(Log gaps, Limit limit) {
    long end = gaps.time(0);
    long places = gaps.amount(0);
    if (places == 1) {
      gaps.dropFirst(1);
    } else {
      gaps.replaceFirst(end, places - 1);
    }
    return end - Wide.mulDivCeil(places, limit.unitNumerator(), limit.unitDenominator());
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

  /** The ticket is the place; one that has passed is used up, and the last one takes gaps along. */
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
      trimGaps(step.log(), limit, step.until);
      return;
    }
    Log gaps = step.log();
    long end = ticket + Wide.mulDivCeil(cost, numerator, denominator);
    gaps.append(end, cost);
    for (int i = gaps.size() - 1; i > 0 && gaps.time(i - 1) > end; i--) {
      gaps.set(i, gaps.time(i - 1), gaps.amount(i - 1));
      gaps.set(i - 1, end, cost);
    }
  }

  /** Takes the places behind a tail that has moved back out of the gaps. */
  private static void trimGaps(Log gaps, Limit limit, long tail) {
    int last = gaps.size() - 1;
    while (last >= 0 && gaps.time(last) > tail) {
      long end = gaps.time(last);
      long beyond = Wide.mulDivCeil(end - tail, limit.unitDenominator(), limit.unitNumerator());
      if (beyond < gaps.amount(last)) {
        long trimmed = Wide.mulAddDiv(beyond, limit.unitNumerator(), 0, limit.unitDenominator());
        gaps.replaceLast(end - trimmed, gaps.amount(last) - beyond);
        return;
      }
      gaps.dropLast();
      last--;
    }
  }
}
