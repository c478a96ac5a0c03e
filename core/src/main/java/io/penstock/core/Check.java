package io.penstock.core;

/**
 * A question to one limiter, as a part of {@link Limiter#tryAcquireAll}. Immutable.
 *
 * @param limiter who decides it
 * @param key whom it is counted against
 * @param cost how much it takes; 0 only looks, and a negative cost gives back. Two checks of one
 *     key in one call do not both take and give back
 */
public record Check(Limiter limiter, String key, long cost) {
  public Check {
    Checks.given("limiter", limiter, "a limiter");
    Checks.given("key", key, "a text");
  }
}
