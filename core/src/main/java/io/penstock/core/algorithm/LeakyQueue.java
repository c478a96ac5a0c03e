package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** Leaky bucket as a queue: constant output, and each caller is told when to run. Immutable. */
public final class LeakyQueue implements Algorithm, Traced {
  /*
   * Callers run one interval apart. `until` is the first place nobody has: a caller that comes now
   * gets place max(until, now), waits for it, and moves the tail one interval further. A cost of n
   * takes n places in a row and runs at the first. Whoever would be more than `burst` places behind
   * the one that runs is refused, so at most `burst` callers wait and no two places are closer than
   * an interval, in whole nanoseconds (law L1 of the queue).
   *
   * Who gives up its wait frees its places. The last ones move the tail back. Others leave a gap,
   * (end, places) in the log, sorted: gaps do not count as waiting, so a cost fits when
   *     (until - now) / interval - places in gaps + cost - 1 <= burst
   * whether the places are in a row or not (law L4). The earliest gap that is wide enough is taken;
   * if none is, the places behind the tail, if it stays within the longest debt there is. A place
   * whose time has come while it was free is lost.
   *
   * A change of the interval moves tail and gaps as it moves the debt of a bucket. Callers that
   * were told when to run keep their time.
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

  /** The most that may wait: with the one that runs they are within the longest debt there is. */
  public static long waitingMax(Limit limit) {
    long denominator = limit.unitDenominator();
    return Wide.mulAddDiv(Wide.MAX - 1, denominator, 0, limit.unitNumerator()) - 1;
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    if (Arrears.decide(step, limit.capacity() + 1, cost)) {
      return;
    }
    Log gaps = step.log();
    Gaps.dropPassed(step, limit, nowNanos);
    long debt = Math.max(step.until - nowNanos, 0);
    if (!step.forced() && cost > 0 && Tail.refuse(step, limit, nowNanos, cost)) {
      return;
    }
    int gap = cost > 0 ? Gaps.wideEnough(gaps, cost) : Gaps.NONE;
    long place = gap == Gaps.NONE ? nowNanos + debt : Gaps.take(step, limit, gap, cost);
    if (gap == Gaps.NONE && cost > 0 && !Tail.lengthen(step, limit, nowNanos, cost)) {
      return;
    }
    step.allow(Tail.free(step, limit, nowNanos), Math.max(step.until - nowNanos, 0));
    step.moreAfterNanos(More.ofQueue(step, limit, nowNanos, step.remaining()));
    step.waitNanos(cost > 0 ? place - nowNanos : 0);
    step.ticket(Math.max(1, place));
  }

  /** The places ahead that somebody has. */
  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    Gaps.dropPassed(step, limit, nowNanos);
    Tail.held(step, limit, nowNanos);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    step.log().dropFirst(step.log().size());
    Debt.carry(step, limit, nowNanos);
  }

  @Override
  public void change(Step step, Limit from, Limit to, long nowNanos) {
    QueueChange.change(step, from, to, nowNanos);
  }

  /** The ticket is the first place, 0 the last ones; those that have passed are used up. */
  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    Gaps.dropPassed(step, limit, nowNanos);
    if (ticket == 0) {
      Retreat.moveBack(step, limit, nowNanos, cost);
    } else {
      Retreat.giveUp(step, limit, nowNanos, cost, ticket);
    }
  }

  @Override
  public long follow(long ticket, Limit from, Limit to, long nowNanos) {
    return ticket >= nowNanos
        ? nowNanos + Scale.up(from, to, ticket - nowNanos)
        : Scale.passed(ticket, from, to, nowNanos);
  }

  /** The places that lie ahead: the first ones have passed if the ticket has. */
  @Override
  public long counted(long units, long ticket, Limit limit, long nowNanos) {
    return Places.counted(units, ticket, limit, nowNanos);
  }

  /** Who keeps n places keeps the first: it runs there. */
  @Override
  public long rest(long ticket, long kept, Limit limit) {
    return Places.ticketOf(limit, ticket, kept);
  }
}
