package io.penstock.core;

/** A fixed window that nobody knows by name, as a user writes one: a test changes what it needs. */
public abstract class OwnWindow implements Algorithm {
  @Override
  public String name() {
    return "own-window";
  }

  @Override
  public void decide(Step step, Limit limit, long nowNanos, long cost) {
    FIXED_WINDOW.decide(step, limit, nowNanos, cost);
  }

  @Override
  public void used(Step step, Limit limit, long nowNanos) {
    FIXED_WINDOW.used(step, limit, nowNanos);
  }

  @Override
  public void carry(Step step, Limit limit, long nowNanos) {
    FIXED_WINDOW.carry(step, limit, nowNanos);
  }
}
