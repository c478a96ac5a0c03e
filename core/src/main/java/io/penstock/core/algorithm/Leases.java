package io.penstock.core.algorithm;

import io.penstock.core.Log;

/** The leases of one key, in its log: (end, name above 24 bits of what it holds), in any order. */
final class Leases {
  static final int COST_BITS = 24;
  static final long COST_MAX = (1L << COST_BITS) - 1;

  private Leases() {}

  static long ticket(long name, long cost) {
    return (name << COST_BITS) | Math.min(cost, COST_MAX);
  }

  static long cost(long ticket) {
    return ticket & COST_MAX;
  }

  private static boolean sameName(long ticket, long other) {
    return ticket >>> COST_BITS == other >>> COST_BITS;
  }

  /** How much the leases that have not ended hold. */
  static long held(Log leases, long nowNanos) {
    long held = 0;
    for (int i = 0; i < leases.size(); i++) {
      held += leases.time(i) > nowNanos ? cost(leases.amount(i)) : 0;
    }
    return held;
  }

  /** How long until the last lease ends; 0 if all have. */
  static long lastEndsIn(Log leases, long nowNanos) {
    long last = nowNanos;
    for (int i = 0; i < leases.size(); i++) {
      last = Math.max(last, leases.time(i));
    }
    return last - nowNanos;
  }

  /** How long until the leases that end first have freed {@code units}. */
  static long freedIn(Log leases, long nowNanos, long units) {
    long freed = 0;
    long end = nowNanos;
    while (freed < units) {
      long next = Long.MAX_VALUE;
      for (int i = 0; i < leases.size(); i++) {
        next = leases.time(i) > end ? Math.min(next, leases.time(i)) : next;
      }
      for (int i = 0; i < leases.size(); i++) {
        freed += leases.time(i) == next ? cost(leases.amount(i)) : 0;
      }
      end = next;
    }
    return end - nowNanos;
  }

  /** Gives back units of the lease that a ticket names, or of the newest ones if it is 0. */
  static void giveBack(Log leases, long nowNanos, long units, long ticket) {
    long left = units;
    for (int i = leases.size() - 1; i >= 0 && left > 0; i--) {
      boolean named = ticket == 0 || sameName(leases.amount(i), ticket);
      if (named && leases.time(i) > nowNanos) {
        long part = Math.min(left, cost(leases.amount(i)));
        left -= part;
        if (part == cost(leases.amount(i))) {
          leases.remove(i);
        } else {
          leases.set(i, leases.time(i), leases.amount(i) - part);
        }
      }
    }
  }

  /** Moves the end of the lease that a ticket names; false if it has ended. */
  static boolean renew(Log leases, long nowNanos, long ticket, long end) {
    for (int i = 0; i < leases.size(); i++) {
      if (sameName(leases.amount(i), ticket) && leases.time(i) > nowNanos) {
        leases.set(i, end, leases.amount(i));
        return true;
      }
    }
    return false;
  }
}
