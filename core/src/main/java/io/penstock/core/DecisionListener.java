package io.penstock.core;

/**
 * Hears of every decision, for metrics and logs. Called on the caller's thread after the decision
 * is made and all locks are released; it should be quick, must be thread-safe, and what it throws
 * is thrown to the caller.
 */
@FunctionalInterface
public interface DecisionListener {
  /**
   * Hears what was taken, looked at, given back or denied. A key given as a hash appears as {@code
   * #} and 16 hexadecimal digits. Where a check over several keys is denied, only those limiters
   * hear of it that deny: the others took nothing.
   */
  void onDecision(String key, long cost, Decision decision);
}
