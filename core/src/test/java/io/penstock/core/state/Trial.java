package io.penstock.core.state;

import java.util.SplittableRandom;

/** How random tests begin and how long they go on. */
final class Trial {
  private static final int TRIES_USUAL = 1_000;
  private static final int TIMES_MAX = 100;

  private Trial() {}

  /** A seed, printed so that {@code -Dseed=} can repeat what it leads to. */
  static long seed(String test) {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println(test + ": -Dseed=" + seed);
    return seed;
  }

  static SplittableRandom random(String test) {
    return new SplittableRandom(seed(test));
  }

  /** How many times longer than usual to try: more than 1 under {@code mvn -Plong}. */
  static int times() {
    long tries = Long.getLong("penstock.tries", Long.getLong("jqwik.tries.default", TRIES_USUAL));
    return (int) Math.max(1, Math.min(TIMES_MAX, tries / TRIES_USUAL));
  }
}
