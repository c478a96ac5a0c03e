package io.penstock.bench;

import io.penstock.bench.Targets.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the page of benchmarks from what a run left in its folder.
 *
 * <p>Arguments: that folder, and the file to write.
 */
final class Report {
  static final List<String> MEMORY =
      List.of(
          "gcra",
          "gcra-uneven",
          "leaky-queue",
          "fixed-window",
          "sliding-window-counter",
          "sliding-window-log",
          "sliding-window-log-10",
          "concurrency");
  static final List<String> COLLECTORS = List.of("serial", "parallel", "g1");

  private static final double MEGA = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  private final Path folder;
  private final Timings timings;
  private final Page page = new Page();

  private Report(Path folder) throws IOException {
    this.folder = folder;
    this.timings = Timings.read(folder);
  }

  public static void main(String[] arguments) throws IOException {
    Report report = new Report(Path.of(arguments[0]));
    report.write();
    Path file = Path.of(arguments[1]);
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, report.page.toString());
  }

  private void write() {
    new Preface(page, facts("run")).write();
    targets();
    new Tables(page, timings, this::facts).write();
    memory();
    collector();
    expiry();
    policies();
  }

  /** What a program of the run found out, or null if it did not run. */
  private @Nullable Facts facts(String name) {
    Path file = folder.resolve(name + ".facts");
    return Files.exists(file) ? Facts.read(file) : null;
  }

  private void targets() {
    page.heading("Targets");
    page.text(
        """
        A ratio is given twice, of the minima and of the medians, each against the fastest peer
        named. A target holds if both do.
        """);
    page.row("target", "wanted", "found", "");
    page.row("---", "---", "---", "---");
    for (Target each : Targets.check(timings, this::facts)) {
      page.row(each.name(), each.wanted(), each.found(), each.verdict());
    }
  }

  private void memory() {
    page.heading("Memory");
    page.text(
        """
        Heap after collecting plus direct buffers, after filling minus before; resident is what the
        kernel says of the process. No key is idle: the clock stands still. "Worst" is the most per
        key at any tenth from half the keys on, at their first unit; "peak" the most held at any
        time while filling, per key at the end.
        """);
    page.measured(facts("memory.step"));
    page.row("state", "policy", "keys", "B/key", "worst", "peak", "resident", "of it heap");
    page.row("---", "---", "--:", "--:", "--:", "--:", "--:", "--:");
    for (String name : MEMORY) {
      Facts found = facts("memory." + name);
      if (found != null) {
        double keys = found.number("keys");
        page.row(
            "%s, units per key: %.0f".formatted(found.text("algorithm"), found.number("units")),
            "`" + found.text("policy") + "`",
            "%,.0f".formatted(keys),
            "%.1f".formatted(found.number("bytesPerKey")),
            "%.1f".formatted(found.number("bytesPerKeyWorstFromHalf")),
            "%.1f".formatted(found.number("directBytesMax") / keys),
            "%.1f".formatted(found.number("residentBytesPerKey")),
            "%.2f".formatted(found.number("heapBytes") / keys));
      }
    }
  }

  private void collector() {
    page.heading("Garbage collection");
    page.text(
        """
        One thread flat out, a fresh `String` key and 256 bytes of garbage per decision; pauses as
        the log of the collector has them. The loop without a limiter shows what the machine adds.
        """);
    page.measured(facts("gc.step"));
    page.row("state", "collector, heap", "keys", "M/s", "pauses", "longest", "while filling too");
    page.row("---", "---", "--:", "--:", "--:", "--:", "--:");
    for (String collector : COLLECTORS) {
      for (String limiter : List.of("penstock", "none", "bucket4j")) {
        Facts found = facts("gc." + collector + "-" + limiter);
        if (found != null) {
          boolean peer = limiter.equals("bucket4j");
          page.row(
              peer ? "Bucket4j + map" : limiter.equals("none") ? "no limiter" : "Penstock",
              collector + (peer ? ", 8 GiB" : ", 1 GiB"),
              "%,.0f".formatted(found.number("keys")),
              "%.1f".formatted(found.number("decisions") / found.number("seconds") / MEGA),
              "%.0f".formatted(found.number("pauses")),
              "%.1f ms".formatted(found.number("pauseMillisMax")),
              "%.1f ms".formatted(found.number("pauseMillisMaxWithFilling")));
        }
      }
    }
  }

  private void expiry() {
    Facts found = facts("churn");
    page.heading("Expiry");
    page.text(
        """
        Keys that are used once, through a limiter with bounded memory; time moves so that about as
        many are in use at once as the table says. Every decision is timed, clock read included.
        Between chunks runs a loop without a table for as long: what it shows is the machine.
        """);
    if (found == null) {
      page.text("Not measured.");
      return;
    }
    page.measured(facts("churn.step"));
    page.row("", "with table", "without");
    page.row("---", "--:", "--:");
    page.row("turns", "%,.0f".formatted(found.number("keys")), count(found, "idleTurns"));
    page.row("keys in use at once", count(found, "live"), "");
    page.row("bound of memory, bytes", count(found, "maxBytes"), "");
    page.row("held half-way, bytes", count(found, "bytesHalfWay"), "");
    page.row("held at the end, bytes", count(found, "bytesLate"), "");
    page.row("refused, denied", count(found, "refused") + ", " + count(found, "denied"), "");
    page.row("median", micros(found, "medianNanos"), micros(found, "idleMedianNanos"));
    page.row("p99.99", micros(found, "p9999Nanos"), micros(found, "idleP9999Nanos"));
    page.row("longest", micros(found, "maxNanos"), micros(found, "idleMaxNanos"));
    page.row("above 1 ms", count(found, "slow"), count(found, "idleSlow"));
  }

  private void policies() {
    Facts found = facts("policies");
    page.heading("Policies");
    page.text(
        """
        A book of policies of single customers, every tenth with one more for an endpoint, and a few
        with wildcards and bare keys. Nanoseconds per lookup of a fresh descriptor, clock read once
        per 256. Bytes are heap after collecting, scopes' texts included, values shared. A change is
        made to the result of the last one.
        """);
    if (found == null) {
      page.text("Not measured.");
      return;
    }
    page.measured(facts("policies.step"));
    page.row("", "minimum / median ns", "B/op");
    page.row("---", "--:", "--:");
    PolicyBench.LOOKUPS.forEach(
        (name, title) ->
            page.row(
                title,
                "%.0f / %.0f"
                    .formatted(found.number(name + "NanosMin"), found.number(name + "NanosMedian")),
                "%.0f".formatted(found.number(name + "Garbage"))));
    page.row("", "", "");
    page.row("one access to as much memory", "%.0f".formatted(found.number("memoryNanos")), "");
    page.row("policies", count(found, "policies"), "");
    page.row("bytes per policy", "%.1f".formatted(found.number("bytesPerPolicy")), "");
    page.row("loaded in", "%.1f s".formatted(found.number("loadSeconds")), "");
    page.row("one change, median", "%.1f us".formatted(found.number("changeMicrosMedian")), "");
    page.row("one change, p99", "%.1f us".formatted(found.number("changeMicrosP99")), "");
  }

  private static String count(Facts facts, String name) {
    return "%,.0f".formatted(facts.number(name));
  }

  private static String micros(Facts facts, String name) {
    return "%,.2f us".formatted(facts.number(name) / NANOS_PER_MICRO);
  }
}
