package io.penstock.bench;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What JMH measured: for each benchmark every iteration of every round, by a name such as {@code
 * many-keys ManyKeysBenchmark.bytes t1 clock=system keys=10000}. Immutable once read.
 */
final class Timings {
  /** Nanoseconds per operation over all iterations, and bytes allocated per operation. */
  record Timing(double min, double median, double bytes) {
    @Override
    public String toString() {
      return digits(min) + " / " + digits(median);
    }

    private static String digits(double nanos) {
      return "%.{0}f".replace("{0}", nanos < 20 ? "1" : "0").formatted(nanos);
    }
  }

  private final Map<String, List<Double>> nanos = new TreeMap<>();
  private final Map<String, List<Double>> bytes = new TreeMap<>();

  private Timings() {}

  /** Reads {@code STEP.ROUND.json} of a folder. */
  static Timings read(Path folder) throws IOException {
    Timings timings = new Timings();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".json")) {
          timings.add(name.substring(0, name.indexOf('.')), Json.read(Files.readString(file)));
        }
      }
    }
    return timings;
  }

  private void add(String step, @Nullable Object results) {
    for (Object result : Json.list(results)) {
      String benchmark = String.valueOf(Json.in(result, "benchmark"));
      String threads = "t" + String.valueOf(Json.in(result, "threads")).replaceFirst("\\.0$", "");
      String name =
          name(step, benchmark.replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1"), threads, params(result));
      for (Object fork : Json.list(Json.in(Json.in(result, "primaryMetric"), "rawData"))) {
        add(nanos, name, Json.list(fork));
      }
      Object allocated = Json.in(Json.in(result, "secondaryMetrics"), "gc.alloc.rate.norm");
      add(bytes, name, Arrays.asList(Json.in(allocated, "score")));
    }
  }

  private static void add(Map<String, List<Double>> to, String name, List<?> values) {
    for (Object value : values) {
      if (value instanceof Double number) {
        to.computeIfAbsent(name, each -> new ArrayList<>()).add(number);
      }
    }
  }

  private static String params(@Nullable Object result) {
    return Json.in(result, "params") instanceof Map<?, ?> map
        ? map.entrySet().stream().map(String::valueOf).sorted().collect(joining(" "))
        : "";
  }

  static String name(String step, String benchmark, String threads, String params) {
    return (step + " " + benchmark + " " + threads + " " + params).strip();
  }

  /** What was measured under that name, or null. */
  @Nullable Timing find(String name) {
    List<Double> found = nanos.get(name);
    return found == null
        ? null
        : new Timing(
            found.stream().min(Double::compare).orElseThrow(),
            median(found),
            bytes.containsKey(name) ? median(bytes.get(name)) : Double.NaN);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(each -> each).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
