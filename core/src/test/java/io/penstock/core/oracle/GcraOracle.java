package io.penstock.core.oracle;

import io.penstock.core.Limit;

/** The theoretical arrival time as a fraction, as the ATM Forum wrote it. */
final class GcraOracle implements Oracle {
  private Limit limit;
  private Ratio tat = Ratio.ZERO;

  GcraOracle(Limit limit) {
    this.limit = limit;
  }

  private Ratio nanos(long units) {
    return Ratio.of(units).times(Oracle.unitNanos(limit));
  }

  @Override
  public Answer take(long now, long cost) {
    Ratio start = tat.max(Ratio.of(now));
    Ratio end = start.plus(nanos(cost));
    Ratio latest = Ratio.of(now).plus(nanos(limit.capacity()));
    long wait = 0;
    if (cost > limit.capacity()) {
      wait = NEVER;
    } else if (cost > 0 && end.compareTo(latest) > 0) {
      wait = end.minus(latest).ceil();
    } else {
      start = end;
      tat = end;
    }
    long left = latest.minus(start).dividedBy(Oracle.unitNanos(limit)).floor();
    long reset = start.minus(Ratio.of(now)).ceil();
    return new Answer(wait == 0, Math.max(0, left), wait, reset, 0, now);
  }

  @Override
  public void charge(long now, long cost) {
    carry(now, used(now).plus(Ratio.of(cost)));
  }

  @Override
  public void refund(long now, long cost) {
    tat = tat.minus(nanos(cost));
  }

  @Override
  public void cancel(long now, long cost, long takenAt) {
    Ratio credit = nanos(cost).minus(Ratio.of(now - takenAt));
    tat = tat.minus(Ratio.ZERO.max(credit));
  }

  @Override
  public Ratio used(long now) {
    Ratio debt = Ratio.ZERO.max(tat.minus(Ratio.of(now)));
    return debt.dividedBy(Oracle.unitNanos(limit));
  }

  @Override
  public void carry(long now, Ratio used) {
    Ratio debt = Oracle.held(limit, used).times(Oracle.unitNanos(limit));
    tat = Ratio.of(now).plus(debt).reduced();
  }

  @Override
  public void change(long now, Limit to) {
    Ratio used = used(now);
    limit = to;
    carry(now, used);
  }
}
