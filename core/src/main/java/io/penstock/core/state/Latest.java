package io.penstock.core.state;

import io.penstock.core.algorithm.Traced;

/**
 * When a key of each stripe was last decided under an algorithm of somebody else's. What concerns a
 * stripe is confined to the thread that holds it.
 */
final class Latest {
  /*
   * Clocks are read before stripes are locked, once for a whole batch, so a decision may come after
   * a later one. The algorithms that come with the library bear that (GeneralLawsTest.late). Others
   * are promised that time never decreases: late ones are decided as of the latest before them.
   * Looks may be at instants to come, and leave no trace.
   */
  private final long[] nanos;

  Latest(int stripes) {
    nanos = new long[stripes];
  }

  /** Whether a turn is under an algorithm that does not come with the library. */
  static boolean isFor(Turn turn) {
    return !(turn.rule().algorithm() instanceof Traced);
  }

  /** Brings a turn to the latest instant, or makes its own the latest. */
  void bring(Turn turn, int stripe) {
    if (isFor(turn)) {
      turn.notBefore(nanos[stripe]);
      nanos[stripe] = turn.looks() ? nanos[stripe] : turn.nowNanos();
    }
  }
}
