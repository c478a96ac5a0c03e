package io.penstock.core.oracle;

import io.penstock.core.Limit;

/** A bucket with a hole: each unit is poured in, and the level sinks at a constant rate. */
final class LeakyBucketOracle implements Oracle {
  private Limit limit;
  private Ratio level = Ratio.ZERO;
  private long leakedUntil;

  LeakyBucketOracle(Limit limit) {
    this.limit = limit;
  }

  private void leak(long now) {
    Ratio leaked = Ratio.of(now - leakedUntil).dividedBy(Oracle.unitNanos(limit));
    level = Ratio.ZERO.max(level.minus(leaked));
    leakedUntil = now;
  }

  @Override
  public Answer take(long now, long cost) {
    leak(now);
    Ratio full = Ratio.of(limit.capacity());
    Ratio poured = level.plus(Ratio.of(cost));
    long wait = 0;
    if (cost > limit.capacity()) {
      wait = NEVER;
    } else if (cost > 0 && poured.compareTo(full) > 0) {
      wait = poured.minus(full).times(Oracle.unitNanos(limit)).ceil();
    } else {
      level = poured;
    }
    long reset = level.times(Oracle.unitNanos(limit)).ceil();
    return new Answer(wait == 0, Math.max(0, full.minus(level).floor()), wait, reset, 0, now);
  }

  @Override
  public void charge(long now, long cost) {
    carry(now, used(now).plus(Ratio.of(cost)));
  }

  @Override
  public void refund(long now, long cost) {
    leak(now);
    level = Ratio.ZERO.max(level.minus(Ratio.of(cost)));
  }

  @Override
  public void cancel(long now, long cost, long takenAt) {
    leak(now);
    Ratio leaked = Ratio.of(now - takenAt).dividedBy(Oracle.unitNanos(limit));
    Ratio left = Ratio.ZERO.max(Ratio.of(cost).minus(leaked));
    level = Ratio.ZERO.max(level.minus(left));
  }

  @Override
  public Ratio used(long now) {
    leak(now);
    return level;
  }

  @Override
  public void carry(long now, Ratio used) {
    level = Oracle.held(limit, used);
    leakedUntil = now;
  }

  @Override
  public void change(long now, Limit to) {
    Ratio used = used(now);
    limit = to;
    carry(now, used);
  }
}
