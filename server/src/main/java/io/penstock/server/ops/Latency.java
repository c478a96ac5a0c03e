package io.penstock.server.ops;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.concurrent.atomic.LongAdder;

/** How long checks took, in buckets that double. Thread-safe, and cheap: one search, two adds. */
final class Latency {
  private static final int SHORTEST_SHIFT = 13;
  private static final int BUCKETS = 20;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongAdder[] buckets = new LongAdder[BUCKETS + 1];
  private final LongAdder nanos = new LongAdder();

  Latency() {
    for (int i = 0; i <= BUCKETS; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Bucket i ends at 2^(13 + i) ns: from 8 µs to 4 s; the last one is for all that is longer. */
  void record(long took) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, took - 1) >>> SHORTEST_SHIFT);
    buckets[Math.min(bits, BUCKETS)].increment();
    nanos.add(took);
  }

  HistogramDataPointSnapshot snapshot(Labels labels) {
    ClassicHistogramBuckets.Builder told = ClassicHistogramBuckets.builder();
    for (int i = 0; i < BUCKETS; i++) {
      told.bucket((1L << (SHORTEST_SHIFT + i)) / NANOS_PER_SECOND, buckets[i].sum());
    }
    told.bucket(Double.POSITIVE_INFINITY, buckets[BUCKETS].sum());
    return HistogramDataPointSnapshot.builder()
        .labels(labels)
        .classicHistogramBuckets(told.build())
        .sum(nanos.sum() / NANOS_PER_SECOND)
        .build();
  }
}
