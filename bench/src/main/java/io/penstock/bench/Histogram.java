package io.penstock.bench;

/** How often each duration was seen, to about three percent. Confined to one thread. */
final class Histogram {
  private static final int STEP_BITS = 5;
  private static final int STEPS = 1 << STEP_BITS;

  private final long[] counts = new long[(Long.SIZE - STEP_BITS) * STEPS];
  private long total;
  private long max;

  void add(long nanos) {
    counts[index(nanos)]++;
    total++;
    max = Math.max(max, nanos);
  }

  /** Below 2^STEP_BITS exact; above, every power of two has that many steps. */
  private static int index(long nanos) {
    int shift = Math.max(0, Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(nanos | 1));
    return shift * STEPS + (int) (nanos >>> shift);
  }

  private static long lowest(int index) {
    int shift = Math.max(0, index / STEPS - 1);
    return (long) (index - shift * STEPS) << shift;
  }

  long total() {
    return total;
  }

  long max() {
    return max;
  }

  /** The duration that this share of all stays below. */
  long quantile(double share) {
    long rank = (long) Math.ceil(share * total);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return lowest(i);
      }
    }
    return max;
  }

  /** How many took at least that long, to the precision of a step. */
  long atLeast(long nanos) {
    long seen = 0;
    for (int i = index(nanos); i < counts.length; i++) {
      seen += counts[i];
    }
    return seen;
  }
}
