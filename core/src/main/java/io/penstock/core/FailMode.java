package io.penstock.core;

/**
 * What to answer when the limiter cannot decide: its memory is full, or a {@link Store} threw an
 * exception.
 */
public enum FailMode {
  /** Let it pass. */
  OPEN,
  /** Deny it. */
  CLOSED,
  /**
   * This process decides alone, below a cap. A limiter in memory is alone anyway: when its memory
   * is full, it denies.
   */
  LOCAL
}
