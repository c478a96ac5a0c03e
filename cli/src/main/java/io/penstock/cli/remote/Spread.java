package io.penstock.cli.remote;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** How long requests took, in buckets a sixteenth apart. Thread-safe. */
final class Spread {
  private static final int FINE_BITS = 4;
  private static final int BUCKETS = Long.SIZE << FINE_BITS;
  private static final long NANOS_PER_MICRO = 1_000;

  private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
  private final LongAdder denied = new LongAdder();

  void add(long nanos, int requests, int ofThemDenied) {
    buckets.getAndAdd(bucket(Math.max(1, nanos)), requests);
    denied.add(ofThemDenied);
  }

  /** The position of the highest bit, and the bits that follow it. */
  private static int bucket(long nanos) {
    int high = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    long fine = high < FINE_BITS ? nanos << (FINE_BITS - high) : nanos >>> (high - FINE_BITS);
    return (high << FINE_BITS) + (int) (fine & ((1 << FINE_BITS) - 1));
  }

  /** Where a bucket ends. */
  private static long end(int bucket) {
    int high = bucket >>> FINE_BITS;
    long fine = (1L << FINE_BITS) + (bucket & ((1 << FINE_BITS) - 1)) + 1;
    return high < FINE_BITS ? fine >>> (FINE_BITS - high) : fine << (high - FINE_BITS);
  }

  long count() {
    long count = 0;
    for (int i = 0; i < BUCKETS; i++) {
      count += buckets.get(i);
    }
    return count;
  }

  long denied() {
    return denied.sum();
  }

  /** How long this share of requests took at most. */
  long micros(double share) {
    long wanted = (long) Math.ceil(share * count());
    for (int i = 0; i < BUCKETS; i++) {
      wanted -= buckets.get(i);
      if (wanted <= 0) {
        return end(i) / NANOS_PER_MICRO;
      }
    }
    return 0;
  }
}
