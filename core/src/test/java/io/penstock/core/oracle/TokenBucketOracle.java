package io.penstock.core.oracle;

import io.penstock.core.Limit;

/** A bucket that counts the tokens left in it, and is filled up whenever somebody looks. */
final class TokenBucketOracle implements Oracle {
  private Limit limit;
  private Ratio tokens;
  private long filledAt;

  TokenBucketOracle(Limit limit) {
    this.limit = limit;
    this.tokens = capacity();
  }

  private Ratio capacity() {
    return Ratio.of(limit.capacity());
  }

  private void fill(long now) {
    Ratio gained = Ratio.of(now - filledAt).dividedBy(Oracle.unitNanos(limit));
    tokens = capacity().min(tokens.plus(gained));
    filledAt = now;
  }

  @Override
  public Answer take(long now, long cost) {
    fill(now);
    Ratio price = Ratio.of(cost);
    long wait = 0;
    if (cost > limit.capacity()) {
      wait = NEVER;
    } else if (cost > 0 && tokens.compareTo(price) < 0) {
      wait = price.minus(tokens).times(Oracle.unitNanos(limit)).ceil();
    } else {
      tokens = tokens.minus(price);
    }
    long reset = capacity().minus(tokens).times(Oracle.unitNanos(limit)).ceil();
    return new Answer(wait == 0, Math.max(0, tokens.floor()), wait, reset, 0, now);
  }

  @Override
  public void charge(long now, long cost) {
    carry(now, used(now).plus(Ratio.of(cost)));
  }

  @Override
  public void refund(long now, long cost) {
    fill(now);
    tokens = capacity().min(tokens.plus(Ratio.of(cost)));
  }

  @Override
  public void cancel(long now, long cost, long takenAt) {
    fill(now);
    Ratio comeBack = Ratio.of(now - takenAt).dividedBy(Oracle.unitNanos(limit));
    Ratio credit = Ratio.ZERO.max(Ratio.of(cost).minus(comeBack));
    tokens = capacity().min(tokens.plus(credit));
  }

  @Override
  public Ratio used(long now) {
    fill(now);
    return capacity().minus(tokens);
  }

  @Override
  public void carry(long now, Ratio used) {
    tokens = capacity().minus(Oracle.held(limit, used));
    filledAt = now;
  }

  @Override
  public void change(long now, Limit to) {
    Ratio used = used(now);
    limit = to;
    carry(now, used);
  }
}
