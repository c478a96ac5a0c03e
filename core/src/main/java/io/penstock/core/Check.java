package io.penstock.core;

/** A question to one limiter, as a part of {@link Limiter#tryAcquireAll}. Immutable. */
public final class Check {
  private final MemoryLimiter limiter;
  private final String key;
  private final long hash;
  private final long cost;

  Check(MemoryLimiter limiter, String key, long cost) {
    this.limiter = limiter;
    this.key = key;
    this.hash = limiter.hash(key);
    this.cost = cost;
  }

  public String key() {
    return key;
  }

  public long cost() {
    return cost;
  }

  MemoryLimiter limiter() {
    return limiter;
  }

  Engine engine() {
    return limiter.engine();
  }

  long hash() {
    return hash;
  }
}
