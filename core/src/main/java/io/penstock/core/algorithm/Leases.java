package io.penstock.core.algorithm;

import io.penstock.core.Log;

/** The leases of one key, in its log: (end, name above 24 bits of what it holds), newest last. */
final class Leases {
  static final int COST_BITS = 24;
  static final long COST_MAX = (1L << COST_BITS) - 1;

  private Leases() {}

  /** A lease without a name holds any cost: if the bits do not suffice, it is minus the cost. */
  static long ticket(long name, long cost) {
    boolean whole = name == 0 && cost > COST_MAX;
    return whole ? -cost : (name << COST_BITS) | Math.min(cost, COST_MAX);
  }

  static long cost(long ticket) {
    return ticket < 0 ? -ticket : ticket & COST_MAX;
  }

  private static boolean isNamed(long lease, long ticket) {
    return (lease < 0 ? 0 : lease >>> COST_BITS) == ticket >>> COST_BITS;
  }

  /** How much the leases that have not ended hold. */
  static long held(Log leases, long nowNanos) {
    long held = 0;
    for (int i = 0; i < leases.size(); i++) {
      held = Wide.add(held, leases.time(i) > nowNanos ? cost(leases.amount(i)) : 0);
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

  /*
   * Leases of one length end in the order in which they were taken: the first ones free the units.
   * Only after a change of the length may a later lease end earlier. Then the instant is halved
   * out, which costs a look at all leases for each bit of the time between, and no room.
   */
  /** How long until the leases that end first have freed {@code units}. */
  static long freedIn(Log leases, long nowNanos, long units) {
    if (isSorted(leases)) {
      int i = -1;
      for (long freed = 0; freed < units; ) {
        i++;
        freed = Wide.add(freed, leases.time(i) > nowNanos ? cost(leases.amount(i)) : 0);
      }
      return leases.time(i) - nowNanos;
    }
    long held = held(leases, nowNanos);
    long tooEarly = 0;
    long enough = lastEndsIn(leases, nowNanos);
    while (enough - tooEarly > 1) {
      long middle = tooEarly + (enough - tooEarly) / 2;
      if (held - held(leases, nowNanos + middle) >= units) {
        enough = middle;
      } else {
        tooEarly = middle;
      }
    }
    return enough;
  }

  private static boolean isSorted(Log leases) {
    for (int i = 1; i < leases.size(); i++) {
      if (leases.time(i - 1) > leases.time(i)) {
        return false;
      }
    }
    return true;
  }

  /** Gives back units of the lease that a ticket names, or of the newest ones if it is 0. */
  static void giveBack(Log leases, long nowNanos, long units, long ticket) {
    long left = units;
    for (int i = leases.size() - 1; i >= 0 && left > 0; i--) {
      boolean named = ticket == 0 || isNamed(leases.amount(i), ticket);
      if (named && leases.time(i) > nowNanos) {
        long lease = leases.amount(i);
        long part = Math.min(left, cost(lease));
        left -= part;
        if (part == cost(lease)) {
          leases.remove(i);
        } else {
          leases.set(
              i, leases.time(i), lease < 0 ? ticket(/* name= */ 0, -lease - part) : lease - part);
        }
      }
    }
  }

  /** Starts the lease that a ticket names anew, as the newest; false if it has ended. */
  static boolean renew(Log leases, long nowNanos, long ticket, long end) {
    for (int i = 0; i < leases.size(); i++) {
      if (isNamed(leases.amount(i), ticket) && leases.time(i) > nowNanos) {
        moveToTheEnd(leases, i, end);
        return true;
      }
    }
    return false;
  }

  private static void moveToTheEnd(Log leases, int index, long end) {
    long lease = leases.amount(index);
    int last = leases.size() - 1;
    for (int i = index; i < last; i++) {
      leases.set(i, leases.time(i + 1), leases.amount(i + 1));
    }
    leases.set(last, end, lease);
  }
}
