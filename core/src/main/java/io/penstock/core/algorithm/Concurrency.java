package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;

/**
 * At most N held at the same time; what is not given back is freed when its lease ends. Immutable.
 */
public final class Concurrency implements Algorithm, Traced {
  /*
   * Each entry of the log is a lease (Leases). Only leases that have not ended count, so a caller
   * that crashed frees its slots by itself, and never are more than N held (law L1 of concurrency).
   * Giving back names the lease by its ticket (Names; x is the latest); a lease that has ended
   * gives nothing. A key is idle once no lease is left and its latest name may be forgotten.
   */
  public Concurrency() {}

  @Override
  public String name() {
    return "concurrency";
  }

  @Override
  public Shape shape(Limit limit) {
    return Shape.LOG;
  }

  /** The most that one limit may allow to be held. */
  public static long countMax() {
    return Leases.COST_MAX;
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    long held = Leases.held(step.log(), nowNanos);
    long left = Math.max(0, limit.count() - held);
    long reset = Leases.lastEndsIn(step.log(), nowNanos);
    if (cost > left && !step.forced()) {
      if (cost > limit.count()) {
        step.denyForever(left, reset);
        step.moreAfterNanos(More.ofLeases(step.log(), nowNanos, held, limit.count()));
      } else {
        long tooMany = held - (limit.count() - cost);
        step.deny(left, Leases.freedIn(step.log(), nowNanos, tooMany), reset);
      }
      return;
    }
    if (cost == 0) {
      step.allow(left, reset);
      step.moreAfterNanos(More.ofLeases(step.log(), nowNanos, held, limit.count()));
      return;
    }
    step.x = Names.next(step.x, nowNanos);
    long ticket = Leases.ticket(step.x, cost);
    step.log().dropUntil(nowNanos);
    step.log().append(nowNanos + limit.periodNanos(), ticket);
    long last = Math.max(reset, limit.periodNanos());
    step.until = Names.idleAt(step.x, nowNanos, last);
    step.allow(Math.max(0, left - cost), last);
    long heldNow = Wide.add(held, Leases.cost(ticket));
    step.moreAfterNanos(More.ofLeases(step.log(), nowNanos, heldNow, limit.count()));
    step.ticket(ticket);
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    step.used(Leases.held(step.log(), nowNanos), 0, 1);
  }

  /** Units used under another algorithm are held by one lease, which has no name. */
  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    long held = step.usedCeil();
    step.clear();
    if (held > 0) {
      step.until = nowNanos + limit.periodNanos();
      step.log().append(step.until, Leases.ticket(/* name= */ 0, held));
    }
  }

  /** Leases that are held stay held, until the ends they were given. */
  @Override
  public void change(Step step, Limit from, Limit to, long nowNanos) {}

  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    long held = Leases.held(step.log(), nowNanos);
    Leases.giveBack(step.log(), nowNanos, cost, ticket);
    if (Leases.held(step.log(), nowNanos) < held) {
      step.log().dropUntil(nowNanos);
      long last = Leases.lastEndsIn(step.log(), nowNanos);
      step.until = Math.min(step.until, Names.idleAt(step.x, nowNanos, last));
    }
  }

  /** Starts a lease anew; false if it has ended. */
  public static boolean renew(Step step, Limit limit, long nowNanos, long ticket) {
    long end = nowNanos + limit.periodNanos();
    boolean found = Leases.renew(step.log(), nowNanos, ticket, end);
    step.until = found ? Math.max(step.until, end) : step.until;
    return found;
  }

  @Override
  public long follow(long ticket, Limit from, Limit to, long nowNanos) {
    return ticket;
  }

  /** Nobody knows here whether a lease was renewed, so it is not followed to other algorithms. */
  @Override
  public long counted(long units, long ticket, Limit limit, long nowNanos) {
    return 0;
  }

  @Override
  public long carried(Limit limit, long nowNanos) {
    return Leases.ticket(/* name= */ 0, /* cost= */ 1);
  }
}
