package io.penstock.bench;

import io.penstock.core.Limit;
import io.penstock.core.MemoryLimiter;

/** The limits under which we measure, ourselves and the peers alike. */
final class Limits {
  /** As fast as a limit can be, one unit per nanosecond: a loop on one key is always allowed. */
  static final Limit ALWAYS = Limit.parse("1000000000/s");

  /** One unit, and then none for longer than a benchmark runs. */
  static final Limit HARDLY = Limit.parse("1/hour");

  /** Many keys: allowed at the pace of a benchmark, and none idle while it lasts (see fill). */
  static final Limit PER_KEY = Limit.parse("10000/s burst 10000000");

  private static final long HALF_OF_BURST = 5_000_000;

  private Limits() {}

  /**
   * Takes half the burst of each key. Refilling that takes 500 seconds, so that for the whole
   * benchmark every key is in use and none is denied.
   */
  static void fill(MemoryLimiter limiter, int keys) {
    KeyStream stream = new KeyStream(keys, /* seed= */ 0);
    for (int i = 0; i < keys; i++) {
      long hash = limiter.hash(stream.at(i), 0, KeyStream.LENGTH);
      if (!limiter.tryAcquireHash(hash, HALF_OF_BURST).allowed()) {
        throw new IllegalStateException("key " + i + " (expected: allowed while filling)");
      }
    }
  }
}
