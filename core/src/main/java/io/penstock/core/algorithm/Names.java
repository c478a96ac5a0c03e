package io.penstock.core.algorithm;

/** The names of the leases of one key. */
final class Names {
  /*
   * A lease is given back by its name, so none is given twice while somebody may still close by it:
   * closing twice, or late, never frees the lease of somebody else. A name is the low bits of the
   * microsecond at which the lease is taken, or one more than the latest name if that is not later.
   * The latest name may be forgotten with its key once the microsecond is past it: whatever name
   * comes next is later all the same. A name comes back after six days at the earliest.
   *
   * 0 is the name of units that nobody holds, and as the latest name says that none was given.
   */
  private static final long MASK = (1L << (Long.SIZE - 1 - Leases.COST_BITS)) - 1;
  private static final long NANOS_PER_MICRO = 1_000;

  private Names() {}

  /** The name of a lease that is taken now. */
  static long next(long latest, long nowNanos) {
    return Math.max(1, Math.max(latest + 1, (nowNanos / NANOS_PER_MICRO) & MASK) & MASK);
  }

  /** When a key is idle whose last lease ends in so long: its latest name may be forgotten too. */
  static long idleAt(long latest, long nowNanos, long lastEndsIn) {
    long micros = nowNanos / NANOS_PER_MICRO;
    long ahead = (latest - micros) & MASK;
    boolean past = latest == 0 || ahead > MASK / 2;
    return Math.max(nowNanos + lastEndsIn, past ? 0 : (micros + ahead + 1) * NANOS_PER_MICRO);
  }
}
