package io.penstock.cli.simulate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A pattern of requests: layers that run at the same time, each a sequence of segments. Immutable.
 *
 * @param text the pattern as it was written
 */
record Traffic(String text, List<List<Segment>> layers) {
  static final long REQUESTS_MAX = 1_000_000;
  static final long LENGTH_NANOS_MAX = Duration.ofDays(3650).toNanos();

  /** One shape for some time. Immutable. */
  record Segment(Shape shape, long lengthNanos, long cost) {}

  Traffic {
    double requests =
        layers.stream()
            .flatMap(List::stream)
            .mapToDouble(segment -> segment.shape().requests(segment.lengthNanos()))
            .sum();
    if (requests > REQUESTS_MAX) {
      throw new IllegalArgumentException(
          "traffic: " + (long) requests + " requests (expected: <= " + REQUESTS_MAX + ")");
    }
    for (List<Segment> layer : layers) {
      // As doubles, because the sum of longs may overflow.
      if (layer.stream().mapToDouble(Segment::lengthNanos).sum() > LENGTH_NANOS_MAX) {
        throw new IllegalArgumentException(
            "traffic: " + text + " (expected: <= " + TimeText.length(LENGTH_NANOS_MAX) + " long)");
      }
    }
  }

  static Traffic parse(String text) {
    return new TrafficText(text).traffic();
  }

  long lengthNanos() {
    return layers.stream().mapToLong(Traffic::lengthNanos).max().orElse(0);
  }

  private static long lengthNanos(List<Segment> layer) {
    return layer.stream().mapToLong(Segment::lengthNanos).sum();
  }

  /** The requests in the order they come; the same seed gives the same ones. */
  List<Arrival> arrivals(long seed) {
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    for (List<Segment> layer : layers) {
      long start = 0;
      for (Segment segment : layer) {
        long from = start;
        segment
            .shape()
            .arrive(
                segment.lengthNanos(),
                random,
                at -> arrivals.add(new Arrival(from + at, segment.cost())));
        start += segment.lengthNanos();
      }
    }
    arrivals.sort(Comparator.comparingLong(Arrival::atNanos));
    return arrivals;
  }
}
