package io.penstock.cli.simulate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Units that pass a point, and when: what is offered, admitted or denied. Immutable. */
final class Flow {
  private final long[] atNanos;
  private final long[] units;

  private Flow(long[] atNanos, long[] units) {
    this.atNanos = atNanos;
    this.units = units;
  }

  /** What these arrivals bring, at the instants they have. */
  static Flow of(List<Arrival> arrivals) {
    // A queue may let a cheap request run before a dear one that came earlier.
    List<Arrival> sorted =
        arrivals.stream().sorted(Comparator.comparingLong(Arrival::atNanos)).toList();
    return new Flow(
        sorted.stream().mapToLong(Arrival::atNanos).toArray(),
        sorted.stream().mapToLong(Arrival::cost).toArray());
  }

  boolean isEmpty() {
    return atNanos.length == 0;
  }

  long units() {
    return Arrays.stream(units).sum();
  }

  /** The units from one instant up to, and not including, another. */
  long units(long fromNanos, long toNanos) {
    long sum = 0;
    for (int i = 0; i < atNanos.length; i++) {
      sum += atNanos[i] >= fromNanos && atNanos[i] < toNanos ? units[i] : 0;
    }
    return sum;
  }

  long firstNanos() {
    return isEmpty() ? 0 : atNanos[0];
  }

  long lastNanos() {
    return isEmpty() ? 0 : atNanos[atNanos.length - 1];
  }

  /** The first of the fullest windows of that length. */
  Peak peak(long lengthNanos) {
    Peak peak = new Peak(0, 0, 0, lengthNanos);
    int oldest = 0;
    long sum = 0;
    for (int i = 0; i < atNanos.length; i++) {
      sum += units[i];
      while (atNanos[oldest] <= atNanos[i] - lengthNanos) {
        sum -= units[oldest];
        oldest++;
      }
      if (sum > peak.units()) {
        peak = new Peak(sum, atNanos[oldest], atNanos[i], lengthNanos);
      }
    }
    return peak;
  }

  /**
   * The Fano factor: variance over mean of the units in stretches of {@code lengthNanos}, until an
   * instant or the last of them. 0 is perfectly even, 1 as random as Poisson traffic, more is
   * bursty; NaN when nothing passed, or when all lies in one stretch: there is nothing to compare.
   */
  double fano(long lengthNanos, long untilNanos) {
    long until = -Math.floorDiv(-untilNanos, lengthNanos);
    double stretches = (double) Math.max(until, lastNanos() / lengthNanos + 1);
    if (stretches == 1) {
      return Double.NaN;
    }
    double squares = 0;
    int i = 0;
    while (i < atNanos.length) {
      long stretch = atNanos[i] / lengthNanos;
      double sum = 0;
      while (i < atNanos.length && atNanos[i] / lengthNanos == stretch) {
        sum += units[i];
        i++;
      }
      squares += sum * sum;
    }
    double mean = units() / stretches;
    return (squares / stretches - mean * mean) / mean;
  }

  /** The units in each bin of the timeline. */
  long[] perBin(Timeline timeline) {
    long[] sums = new long[timeline.bins()];
    for (int i = 0; i < atNanos.length; i++) {
      sums[timeline.bin(atNanos[i])] += units[i];
    }
    return sums;
  }

  /** For each bin, the most that any window of that length held when it ended within the bin. */
  long[] windowPerBin(Timeline timeline, long lengthNanos) {
    long[] most = new long[timeline.bins()];
    int oldest = 0;
    int next = 0;
    long sum = 0;
    for (int bin = 0; bin < most.length; bin++) {
      long start = timeline.startNanos(bin);
      while (oldest < next && atNanos[oldest] <= start - lengthNanos) {
        sum -= units[oldest++];
      }
      most[bin] = sum;
      while (next < atNanos.length && timeline.bin(atNanos[next]) == bin) {
        while (atNanos[oldest] <= atNanos[next] - lengthNanos) {
          sum -= units[oldest++];
        }
        sum += units[next++];
        most[bin] = Math.max(most[bin], sum);
      }
    }
    return most;
  }
}
