package io.penstock.core;

/** What to answer when the limiter cannot decide, for example because its memory is full. */
public enum FailMode {
  /** Let it pass. */
  OPEN,
  /** Deny it. */
  CLOSED
}
