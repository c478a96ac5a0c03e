package io.penstock.core;

/**
 * Hears of every decision, for metrics and logs. Called on the caller's thread after the decision
 * is made and all locks are released; it should be quick, must be thread-safe, and what it throws
 * is thrown to the caller.
 */
@FunctionalInterface
public interface DecisionListener {
  /** A key given as a hash appears as {@code #} and 16 hexadecimal digits. */
  void onDecision(String key, long cost, Decision decision);
}
