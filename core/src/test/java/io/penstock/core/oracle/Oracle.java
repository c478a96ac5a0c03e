package io.penstock.core.oracle;

import io.penstock.core.Limit;

/**
 * One key under one limit, counted in the most obvious way. Not thread-safe.
 *
 * <p>Independent of the arithmetic it checks; what it shares with it is only how long a unit takes,
 * {@link Limit#unitNumerator} over {@link Limit#unitDenominator}.
 */
public interface Oracle {
  /** The wait of what never fits. */
  long NEVER = Long.MAX_VALUE;

  /** No debt lasts longer: 73 years. */
  Ratio DEBT_NANOS_MAX = Ratio.of(1L << 61);

  /** What a check must answer. */
  record Answer(
      boolean allowed,
      long remaining,
      long retryAfterNanos,
      long resetAfterNanos,
      long waitNanos,
      long ticket) {}

  static Oracle of(String algorithm, Limit limit) {
    return switch (algorithm) {
      case "gcra" -> new ArrearsOracle(new GcraOracle(limit), limit);
      case "token-bucket" -> new ArrearsOracle(new TokenBucketOracle(limit), limit);
      case "leaky-bucket" -> new ArrearsOracle(new LeakyBucketOracle(limit), limit);
      case "leaky-queue" -> new ArrearsOracle(new LeakyQueueOracle(limit), limit);
      case "fixed-window" -> new FixedWindowOracle(limit);
      case "sliding-window-log" -> new SlidingWindowLogOracle(limit);
      case "sliding-window-counter" -> new SlidingWindowCounterOracle(limit);
      case "concurrency" -> new ConcurrencyOracle(limit);
      default -> throw new IllegalArgumentException(algorithm);
    };
  }

  /** Takes the cost if it fits; 0 only looks. */
  Answer take(long now, long cost);

  /** Takes the cost whether it fits or not. */
  void charge(long now, long cost);

  /** Gives back what was taken just now, never more than is used. */
  void refund(long now, long cost);

  /** Gives back what the take with that ticket took, less what has come back by itself since. */
  void cancel(long now, long cost, long ticket);

  /** The units in use. */
  Ratio used(long now);

  /** How far ahead, in units, the last of them is back after a charge; a queue may have gaps. */
  default Ratio aheadWith(long now, long cost) {
    return used(now).plus(Ratio.of(cost));
  }

  /** Starts with these units in use. */
  void carry(long now, Ratio used);

  /** Goes on under another limit: what was used stays used. */
  void change(long now, Limit to);

  /** A new time that a unit takes, exactly. */
  static Ratio unitNanos(Limit limit) {
    return Ratio.of(limit.unitNumerator(), limit.unitDenominator());
  }

  /**
   * Units as a bucket under {@code limit} can hold them: time is counted in steps of 1/denominator
   * nanoseconds, which is 1/numerator of a unit, rounded up.
   */
  static Ratio held(Limit limit, Ratio units) {
    return units.roundedUp(limit.unitNumerator());
  }
}
