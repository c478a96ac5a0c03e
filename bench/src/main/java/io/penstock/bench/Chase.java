package io.penstock.bench;

import java.util.SplittableRandom;

/**
 * What one access to memory costs on this machine: a walk through lines in random order, each of
 * which names the next. What looks up one of very many things cannot be faster.
 */
final class Chase {
  private static final int LINE = 64 / Long.BYTES;
  private static final int STEPS = 5_000_000;

  private final long[] lines;

  Chase(long bytes) {
    int count = Math.toIntExact(bytes / Long.BYTES / LINE);
    lines = new long[count * LINE];
    for (int i = 0; i < count; i++) {
      lines[i * LINE] = i;
    }
    /* Sattolo's shuffle: one circle through all of them. */
    SplittableRandom random = new SplittableRandom(7);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i) * LINE;
      long next = lines[other];
      lines[other] = lines[i * LINE];
      lines[i * LINE] = next;
    }
  }

  /** Nanoseconds per step, the second time round. */
  double nanos() {
    walk();
    return walk();
  }

  private double walk() {
    long start = System.nanoTime();
    long at = 0;
    for (int i = 0; i < STEPS; i++) {
      at = lines[(int) at * LINE];
    }
    long took = System.nanoTime() - start;
    if (at < 0) {
      throw new AssertionError(at);
    }
    return (double) took / STEPS;
  }
}
