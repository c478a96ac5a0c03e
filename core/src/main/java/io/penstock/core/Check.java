package io.penstock.core;

import static java.util.Objects.requireNonNull;

/**
 * A question to one limiter, as a part of {@link Limiter#tryAcquireAll}. Immutable.
 *
 * @param limiter who decides it
 * @param key whom it is counted against
 * @param cost how much it takes; 0 only looks, and a negative cost gives back
 */
public record Check(Limiter limiter, String key, long cost) {
  public Check {
    requireNonNull(limiter, "limiter");
    requireNonNull(key, "key");
  }
}
