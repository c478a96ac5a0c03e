package io.penstock.cli.simulate;

import static java.util.stream.Collectors.joining;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** What to simulate: limits, traffic, the algorithms to compare, and a seed. Immutable. */
record Scenario(Policy policy, Traffic traffic, List<Algorithm> algorithms, long seed) {
  /** What differs from one another. Token bucket and leaky bucket decide as GCRA. */
  static final List<Algorithm> DISTINCT =
      List.of(
          Algorithm.GCRA,
          Algorithm.LEAKY_QUEUE,
          Algorithm.FIXED_WINDOW,
          Algorithm.SLIDING_WINDOW_LOG,
          Algorithm.SLIDING_WINDOW_COUNTER);

  private static final Set<Algorithm> WINDOWS =
      Set.of(
          Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_LOG, Algorithm.SLIDING_WINDOW_COUNTER);

  /* A Monday, and the first day of a month and a year: windows of every unit start here. */
  private static final long NEW_YEAR_NANOS =
      Instant.parse("2024-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000L;

  Scenario {
    algorithms = List.copyOf(algorithms);
    for (Limit limit : policy.limits()) {
      if (limit.isConcurrent()) {
        throw new IllegalArgumentException(
            "limit: " + limit + " (expected: a rate; what is held at once depends on how long)");
      }
    }
  }

  /** The algorithms of these names, or lists of names; {@code all} stands for those that differ. */
  static List<Algorithm> algorithms(List<String> names) {
    List<Algorithm> algorithms = new ArrayList<>();
    for (String name : String.join(",", names).split(",", -1)) {
      algorithms.addAll(name.strip().equals("all") ? DISTINCT : List.of(named(name.strip())));
    }
    return algorithms.stream().distinct().toList();
  }

  private static Algorithm named(String name) {
    return selectable().stream()
        .filter(algorithm -> algorithm.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "algorithm: \"" + name + "\" (expected: all, " + names(selectable()) + ")"));
  }

  private static List<Algorithm> selectable() {
    return Algorithm.all().stream().filter(each -> each != Algorithm.CONCURRENCY).toList();
  }

  private static String names(List<Algorithm> algorithms) {
    return algorithms.stream().map(Algorithm::name).collect(joining(", "));
  }

  /** When it starts: where a window of the longest limit does. */
  long startNanos() {
    return longest().windowEnd(NEW_YEAR_NANOS - 1);
  }

  private Limit longest() {
    return policy.limits().stream().max(Comparator.comparingLong(Limit::periodNanos)).orElseThrow();
  }

  /** The policy that an algorithm is run with: windows have no burst. */
  Policy policyFor(Algorithm algorithm) {
    if (!WINDOWS.contains(algorithm)) {
      return policy.withAlgorithm(algorithm);
    }
    List<Limit> limits = policy.limits().stream().map(Scenario::withoutBurst).toList();
    return new Policy(limits, algorithm, policy.failMode());
  }

  private static Limit withoutBurst(Limit limit) {
    return limit.hasBurst() ? Limit.parse(limit.count() + "/" + limit.period()) : limit;
  }

  /** What a reader must know to compare. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    List<Algorithm> windows = algorithms.stream().filter(WINDOWS::contains).toList();
    if (policy.limits().stream().anyMatch(Limit::hasBurst) && !windows.isEmpty()) {
      notes.add(
          "Windows have no burst: "
              + names(windows)
              + " ran with "
              + policyFor(windows.get(0))
              + ".");
    }
    if (algorithms.equals(DISTINCT)) {
      notes.add("token-bucket and leaky-bucket decide as gcra.");
    }
    for (Limit limit : policy.limits()) {
      if (limit.zone() != null) {
        notes.add(limit + " is a calendar window, whatever the algorithm.");
      }
    }
    return notes;
  }
}
