package io.penstock.cli.simulate;

import java.util.ArrayList;
import java.util.List;

/** Time from 0 to a horizon, cut into bins of a round length. Immutable. */
record Timeline(long horizonNanos, long binNanos, int bins) {
  static Timeline of(long horizonNanos, int binsMax) {
    long bin = RoundTime.FINE.atLeast(ceilDiv(horizonNanos, binsMax));
    return new Timeline(horizonNanos, bin, (int) ceilDiv(horizonNanos, bin));
  }

  /** The bin that holds this instant; what comes at the horizon itself counts for the last. */
  int bin(long nanos) {
    return (int) Math.min(bins - 1L, nanos / binNanos);
  }

  long startNanos(int bin) {
    return bin * binNanos;
  }

  /** Round instants, at least {@code binsApart} bins from one to the next. */
  List<Long> ticks(int binsApart) {
    long step = RoundTime.COARSE.atLeast(binNanos * binsApart);
    List<Long> ticks = new ArrayList<>();
    for (long tick = 0; tick <= horizonNanos; tick += step) {
      ticks.add(tick);
    }
    return ticks;
  }

  private static long ceilDiv(long a, long b) {
    return -Math.floorDiv(-a, b);
  }
}
