package io.penstock.bench;

import io.penstock.bench.Timings.Timing;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of what JMH measured. Confined to one thread. */
final class Tables {
  /** Where the cells of a column come from: a step of the run, the threads, a parameter. */
  private record Column(String title, String step, String threads, String param) {}

  /** Where the cells of a line come from: a benchmark, and a parameter before or behind. */
  private record Line(String title, String benchmark, String before, String behind) {
    Line(String title, String benchmark) {
      this(title, benchmark, "", "");
    }

    String in(Column column) {
      String params = (before + " " + column.param + " " + behind).strip();
      return Timings.name(column.step, benchmark, column.threads, params);
    }
  }

  private static final String SYSTEM = "clock=system";
  private static final String TICKER = "clock=ticker";

  private final Page page;
  private final Timings timings;
  private final Function<String, @Nullable Facts> facts;

  Tables(Page page, Timings timings, Function<String, @Nullable Facts> facts) {
    this.page = page;
    this.timings = timings;
    this.facts = facts;
  }

  void write() {
    floor();
    hotKey();
    denied();
    algorithms();
    manyKeys();
    batch();
  }

  private void floor() {
    page.heading("The floor: clock and hash");
    table(
        "floor",
        List.of(new Column("ns", "floor", "t1", "")),
        List.of(
            new Line("`System.nanoTime`", "ClockBenchmark.nanoTime"),
            new Line("`System.currentTimeMillis`", "ClockBenchmark.currentTimeMillis"),
            new Line("`Clock.system()`", "ClockBenchmark.system"),
            new Line("a clock that a thread keeps up to date", "ClockBenchmark.ticker"),
            new Line("make a `byte[]` key", "HashBenchmark.makeBytes"),
            new Line("the same, and hash it", "HashBenchmark.hashBytes"),
            new Line("make a `String` key", "HashBenchmark.makeString"),
            new Line("the same, and its `hashCode`", "HashBenchmark.makeStringAndHashCode"),
            new Line("the same, and hash it", "HashBenchmark.hashFreshString"),
            new Line("hash one `String` again", "HashBenchmark.hashSameString")));
  }

  private void hotKey() {
    page.heading("One hot key, allowed");
    table(
        "hot-key",
        List.of(
            new Column("1 thread", "hot-key", "t1", ""),
            new Column("1 thread, JDK 17", "hot-key-17", "t1", ""),
            new Column("2 threads", "hot-key", "t2", "")),
        List.of(
            new Line("**own clock read**, hashed before", "HotKeyBenchmark.ownHash"),
            new Line("`byte[]`", "HotKeyBenchmark.ownBytes"),
            new Line("`String`", "HotKeyBenchmark.ownString"),
            new Line("whole `Decision`, read", "HotKeyBenchmark.ownDecisionRead"),
            new Line("whole `Decision`, kept", "HotKeyBenchmark.ownDecisionKept"),
            new Line("**batch of 16**, hashed before", "HotKeyBenchmark.ownBatchOfHashes"),
            new Line("**batch of 16**, `byte[]`, own clock", "HotKeyBenchmark.ownBatchOfBytes"),
            new Line("**cached clock**, hashed before", "HotKeyBenchmark.cachedHash"),
            new Line("`byte[]`", "HotKeyBenchmark.cachedBytes"),
            new Line("`String`", "HotKeyBenchmark.cachedString"),
            new Line("whole `Decision`, read", "HotKeyBenchmark.cachedDecisionRead"),
            new Line("floor: one `AtomicLong`, `nanoTime`, no key", "HotKeyBenchmark.oneWord"),
            new Line("Bucket4j, as it comes", "HotKeyBenchmark.bucket4jMillis"),
            new Line("Bucket4j, nanoseconds", "HotKeyBenchmark.bucket4jNanos"),
            new Line("Bucket4j, synchronized", "HotKeyBenchmark.bucket4jSynchronized"),
            new Line("Bucket4j, whole answer", "HotKeyBenchmark.bucket4jDecisionKept"),
            new Line("Guava", "HotKeyBenchmark.guava"),
            new Line("Resilience4j", "HotKeyBenchmark.resilience4j"),
            new Line("Failsafe, bursty", "HotKeyBenchmark.failsafeBursty"),
            new Line("Failsafe, smooth", "HotKeyBenchmark.failsafeSmooth"),
            new Line(
                "Resilience4j with a thread per limiter (reads no clock)",
                "SemaphoreBenchmark.resilience4jSemaphore")));
  }

  private void denied() {
    page.heading("One hot key, denied");
    table(
        "denied",
        List.of(
            new Column("1 thread", "denied", "t1", ""),
            new Column("2 threads", "denied", "t2", "")),
        List.of(
            new Line("**own clock read**, hashed before", "HotKeyDeniedBenchmark.ownHash"),
            new Line("`byte[]`", "HotKeyDeniedBenchmark.ownBytes"),
            new Line("whole `Decision`, kept", "HotKeyDeniedBenchmark.ownDecisionKept"),
            new Line("**cached clock**, hashed before", "HotKeyDeniedBenchmark.cachedHash"),
            new Line("`byte[]`", "HotKeyDeniedBenchmark.cachedBytes"),
            new Line("Bucket4j, as it comes", "HotKeyDeniedBenchmark.bucket4jMillis"),
            new Line("Bucket4j, nanoseconds", "HotKeyDeniedBenchmark.bucket4jNanos"),
            new Line("Bucket4j, synchronized", "HotKeyDeniedBenchmark.bucket4jSynchronized"),
            new Line("Guava", "HotKeyDeniedBenchmark.guava"),
            new Line("Resilience4j", "HotKeyDeniedBenchmark.resilience4j"),
            new Line("Failsafe, bursty", "HotKeyDeniedBenchmark.failsafeBursty"),
            new Line("Failsafe, smooth", "HotKeyDeniedBenchmark.failsafeSmooth")));
  }

  private void algorithms() {
    page.heading("Algorithms, one hot key, own clock read");
    String take = "AlgorithmBenchmark.take";
    table(
        "algorithms",
        List.of(new Column("1 thread", "algorithms", "t1", "")),
        List.of(
            new Line("GCRA", take, "rule=gcra: 1000000000/s", ""),
            new Line("GCRA, uneven interval", take, "rule=gcra: 3000/s burst 1000000000", ""),
            new Line("GCRA, two limits", take, "rule=gcra: 1000000000/s; 60000000000/min", ""),
            new Line("leaky queue", take, "rule=leaky-queue: 1000000000/s", ""),
            new Line("fixed window", take, "rule=fixed-window: 1000000000/s", ""),
            new Line("calendar day", take, "rule=fixed-window: 1000000000000/day Europe/Paris", ""),
            new Line(
                "sliding window counter", take, "rule=sliding-window-counter: 1000000000/s", ""),
            new Line(
                "sliding window log of 100, mostly denied",
                take,
                "rule=sliding-window-log: 100/s",
                ""),
            new Line(
                "concurrency, take and give back",
                "AlgorithmBenchmark.holdAndRelease",
                "rule=gcra: 1000000000/s",
                "")));
  }

  private void manyKeys() {
    page.heading("Many keys, uniform, 1 thread");
    String ours = "ManyKeysBenchmark.";
    String peers = "ManyKeysPeersBenchmark.string";
    table(
        "many-keys",
        List.of(
            new Column("10 k", "many-keys", "t1", "keys=10000"),
            new Column("1 M", "many-keys", "t1", "keys=1000000"),
            new Column("1 M, G1", "g1", "t1", "keys=1000000"),
            new Column("1 M, G1, JDK 17", "g1-17", "t1", "keys=1000000"),
            new Column("10 M", "ten-million", "t1", "keys=10000000"),
            new Column("10 M, 4 KiB pages", "small-pages", "t1", "keys=10000000")),
        List.of(
            new Line("**own clock read**, `byte[]`", ours + "bytes", SYSTEM, ""),
            new Line("`byte[]`, each after the last answer", ours + "bytesInTurn", SYSTEM, ""),
            new Line("`String`", ours + "string", SYSTEM, ""),
            new Line("`String`, whole `Decision`", ours + "decision", SYSTEM, ""),
            new Line("**cached clock**, `byte[]`", ours + "bytes", TICKER, ""),
            new Line("`byte[]`, each after the last answer", ours + "bytesInTurn", TICKER, ""),
            new Line("Bucket4j + map", peers, "", "library=BUCKET4J"),
            new Line("Guava + map", peers, "", "library=GUAVA"),
            new Line("Resilience4j + map", peers, "", "library=RESILIENCE4J"),
            new Line("Failsafe + map", peers, "", "library=FAILSAFE")));
  }

  private void batch() {
    page.heading("Batches of `byte[]` keys, one clock read each, per decision");
    table(
        "ten-million",
        List.of(
            new Column("10 k", "many-keys", "t1", "keys=10000"),
            new Column("1 M", "many-keys", "t1", "keys=1000000"),
            new Column("10 M", "ten-million", "t1", "keys=10000000"),
            new Column("10 M, 2 threads", "ten-million", "t2", "keys=10000000"),
            new Column("10 M, 4 KiB pages", "small-pages", "t1", "keys=10000000")),
        List.of(
            new Line("batch of 16", "BatchBenchmark.of16"),
            new Line("batch of 64", "BatchBenchmark.of64")));
  }

  /** Leaves out columns and lines of which nothing was measured. */
  private void table(String step, List<Column> columns, List<Line> lines) {
    List<Column> shown = columns.stream().filter(column -> any(lines, column)).toList();
    if (shown.isEmpty()) {
      page.text("Not measured.");
      return;
    }
    page.measured(facts.apply(step + ".step"));
    String[] head = new String[shown.size() + 2];
    String[] rule = new String[shown.size() + 2];
    head[0] = "";
    rule[0] = "---";
    for (int i = 0; i < shown.size(); i++) {
      head[i + 1] = shown.get(i).title;
      rule[i + 1] = "--:";
    }
    head[shown.size() + 1] = "B/op";
    rule[shown.size() + 1] = "--:";
    page.row(head);
    page.row(rule);
    for (Line line : lines) {
      row(line, shown);
    }
  }

  private boolean any(List<Line> lines, Column column) {
    return lines.stream().anyMatch(line -> timings.find(line.in(column)) != null);
  }

  private void row(Line line, List<Column> columns) {
    String[] cells = new String[columns.size() + 2];
    cells[0] = line.title;
    String bytes = "";
    boolean measured = false;
    for (int i = 0; i < columns.size(); i++) {
      Timing timing = timings.find(line.in(columns.get(i)));
      cells[i + 1] = timing == null ? "" : timing.toString();
      bytes = timing == null || measured ? bytes : "%.0f".formatted(timing.bytes());
      measured |= timing != null;
    }
    cells[columns.size() + 1] = bytes;
    if (measured) {
      page.row(cells);
    }
  }
}
