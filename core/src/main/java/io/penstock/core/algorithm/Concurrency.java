package io.penstock.core.algorithm;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/**
 * At most N held at the same time; what is not given back is freed when its lease ends. Immutable.
 */
public final class Concurrency implements Algorithm {
  /*
   * Each entry of the log is a lease: when it ends, and a word that names it and says how much it
   * holds. Only leases that have not ended count, so a caller that crashed frees its slots by itself,
   * and never are more than N held (law L1 of concurrency). Giving back names the lease by its ticket;
   * a lease that has ended gives nothing.
   *
   * The name is the low bits of the microsecond at which it was taken, or one more than the latest
   * name (x) if that is not later, so that giving back twice never frees somebody else's lease. A name
   * comes back after six days, when its lease is long gone.
   */
  private static final int COST_BITS = 24;
  private static final long COST_MAX = (1L << COST_BITS) - 1;
  private static final long NAME_MASK = (1L << (63 - COST_BITS)) - 1;
  private static final long NANOS_PER_MICRO = 1_000;

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
    return COST_MAX;
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    Log leases = step.log();
    long held = held(leases, nowNanos);
    long left = Math.max(0, limit.count() - held);
    long reset = Math.max(0, lastEnd(leases, nowNanos) - nowNanos);
    if (cost > left && !step.forced()) {
      if (cost > limit.count()) {
        step.denyForever(left, reset);
      } else {
        step.deny(left, waitFor(leases, nowNanos, held - (limit.count() - cost)), reset);
      }
      return;
    }
    if (cost == 0) {
      step.allow(left, reset);
      return;
    }
    long end = nowNanos + limit.periodNanos();
    step.x = Math.max(step.x + 1, nowNanos / NANOS_PER_MICRO & NAME_MASK) & NAME_MASK;
    long ticket = step.x << COST_BITS | Math.min(cost, COST_MAX);
    leases.dropUntil(nowNanos);
    leases.append(end, ticket);
    step.until = Math.max(nowNanos + reset, end);
    step.allow(Math.max(0, left - cost), step.until - nowNanos);
    step.ticket(ticket);
  }

  private static long held(Log leases, long nowNanos) {
    long held = 0;
    for (int i = 0; i < leases.size(); i++) {
      held += leases.time(i) > nowNanos ? leases.amount(i) & COST_MAX : 0;
    }
    return held;
  }

  private static long lastEnd(Log leases, long nowNanos) {
    long last = nowNanos;
    for (int i = 0; i < leases.size(); i++) {
      last = Math.max(last, leases.time(i));
    }
    return last;
  }

  /** How long until the leases that end first have freed {@code units}. */
  private static long waitFor(Log leases, long nowNanos, long units) {
    long freed = 0;
    long end = nowNanos;
    while (freed < units) {
      long next = Long.MAX_VALUE;
      for (int i = 0; i < leases.size(); i++) {
        next = leases.time(i) > end ? Math.min(next, leases.time(i)) : next;
      }
      for (int i = 0; i < leases.size(); i++) {
        freed += leases.time(i) == next ? leases.amount(i) & COST_MAX : 0;
      }
      end = next;
    }
    return end - nowNanos;
  }

  private static int find(Log leases, long name, long nowNanos) {
    for (int i = 0; i < leases.size(); i++) {
      if (leases.amount(i) >>> COST_BITS == name && leases.time(i) > nowNanos) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    step.used(held(step.log(), nowNanos), 0, 1);
  }

  /** Units used under another algorithm are held by one lease that nobody can give back. */
  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    long held = Math.min(step.usedCeil(), COST_MAX);
    step.clear();
    if (held > 0) {
      step.until = nowNanos + limit.periodNanos();
      step.log().append(step.until, held);
    }
  }

  /** Leases that are held stay held, until the ends they were given. */
  @Override
  public void change(Step step, Limit from, Limit to, long nowNanos) {}

  @Override
  public void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    Log leases = step.log();
    long left = cost;
    for (int i = leases.size() - 1; i >= 0 && left > 0; i--) {
      boolean named = ticket == 0 || leases.amount(i) >>> COST_BITS == ticket >>> COST_BITS;
      if (named && leases.time(i) > nowNanos) {
        left -= shrink(leases, i, left);
      }
    }
  }

  private static long shrink(Log leases, int lease, long cost) {
    long held = leases.amount(lease) & COST_MAX;
    if (cost >= held) {
      leases.remove(lease);
      return held;
    }
    leases.set(lease, leases.time(lease), leases.amount(lease) - cost);
    return cost;
  }

  /** Moves the end of a lease; false if it has ended. */
  public static boolean renew(Step step, Limit limit, long nowNanos, long ticket) {
    Log leases = step.log();
    int lease = find(leases, ticket >>> COST_BITS, nowNanos);
    if (lease < 0) {
      return false;
    }
    long end = nowNanos + limit.periodNanos();
    leases.set(lease, end, leases.amount(lease));
    step.until = Math.max(step.until, end);
    return true;
  }
}
