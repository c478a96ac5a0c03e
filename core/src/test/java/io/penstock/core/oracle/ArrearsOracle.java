package io.penstock.core.oracle;

import io.penstock.core.Limit;

/** A bucket or a queue, until it owes more time than there is: then only its units are kept. */
final class ArrearsOracle implements Oracle {
  private static final long UNITS_MAX = 1L << 57;
  private static final long LONGEST = 1L << 61;

  private final Oracle debts;
  private final boolean isQueue;
  private Limit limit;
  private long owed;

  ArrearsOracle(Oracle debts, Limit limit) {
    this.debts = debts;
    this.isQueue = debts instanceof LeakyQueueOracle;
    this.limit = limit;
  }

  private boolean isArrears(Ratio units) {
    Ratio nanos = Oracle.held(limit, units).times(Oracle.unitNanos(limit));
    return nanos.compareTo(Ratio.of(LONGEST - 1)) > 0;
  }

  private void owe(long now, Ratio units) {
    owed = units.min(Ratio.of(UNITS_MAX)).ceil();
    debts.carry(now, Ratio.ZERO);
  }

  @Override
  public Answer take(long now, long cost) {
    if (owed == 0) {
      return debts.take(now, cost);
    }
    long most = limit.capacity() + (isQueue ? 1 : 0);
    long wait = cost > most ? NEVER : cost > 0 ? LONGEST : 0;
    return new Answer(cost == 0, /* remaining= */ 0, wait, LONGEST, /* waitNanos= */ 0, now);
  }

  @Override
  public void charge(long now, long cost) {
    Ratio units = used(now).plus(Ratio.of(cost));
    if (owed > 0 || isArrears(debts.aheadWith(now, cost))) {
      owe(now, units);
    } else {
      debts.charge(now, cost);
    }
  }

  @Override
  public void refund(long now, long cost) {
    if (owed > 0) {
      carry(now, Ratio.of(Math.max(0, owed - cost)));
    } else {
      debts.refund(now, cost);
    }
  }

  @Override
  public void cancel(long now, long cost, long ticket) {
    if (owed > 0) {
      Ratio passed = Ratio.of(Math.max(0, now - ticket)).dividedBy(Oracle.unitNanos(limit));
      refund(now, Math.max(0, cost - passed.ceil()));
    } else {
      debts.cancel(now, cost, ticket);
    }
  }

  @Override
  public Ratio used(long now) {
    return owed > 0 ? Ratio.of(owed) : debts.used(now);
  }

  @Override
  public Ratio aheadWith(long now, long cost) {
    throw new UnsupportedOperationException("asked of what is inside only");
  }

  @Override
  public void carry(long now, Ratio used) {
    owed = 0;
    if (isArrears(used)) {
      owe(now, used);
    } else {
      debts.carry(now, used);
    }
  }

  @Override
  public void change(long now, Limit to) {
    boolean same = Oracle.unitNanos(limit).compareTo(Oracle.unitNanos(to)) == 0;
    Ratio used = used(now);
    Ratio ahead = owed > 0 ? used : debts.aheadWith(now, 0);
    limit = to;
    if (isQueue && same) {
      debts.change(now, to);
    } else if (owed > 0 || isArrears(ahead)) {
      debts.carry(now, Ratio.ZERO);
      debts.change(now, to);
      carry(now, used);
    } else {
      debts.change(now, to);
    }
  }
}
