package io.penstock.core;

/** Why a decision is what it is. */
public enum Reason {
  /** It fits. */
  OK,
  /** It does not fit now; {@link Decision#retryAfter} says when it will. */
  LIMITED,
  /** It never fits: the cost is above the capacity, or above what a queue can hold. */
  NEVER,
  /** The key is blocked; {@link Decision#retryAfter} counts its limits too. */
  BLOCKED,
  /** The limiter could not decide, and the policy fails open. */
  FAIL_OPEN,
  /** The limiter could not decide, and the policy fails closed. */
  FAIL_CLOSED
}
