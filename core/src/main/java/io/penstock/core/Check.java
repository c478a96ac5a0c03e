package io.penstock.core;

/** A question to one limiter, as a part of {@link Limiter#tryAcquireAll}. Immutable. */
public final class Check {
  private final MemoryLimiter limiter;
  private final String key;
  private final long cost;

  Check(MemoryLimiter limiter, String key, long cost) {
    this.limiter = limiter;
    this.key = key;
    this.cost = cost;
  }

  MemoryLimiter limiter() {
    return limiter;
  }

  public String key() {
    return key;
  }

  public long cost() {
    return cost;
  }
}
