package io.penstock.bench;

import io.penstock.bench.Timings.Timing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was promised, beside what was measured. Confined to one thread. */
final class Targets {
  /** One promise: what, how much of it, what was found, and whether that is enough. */
  record Target(String name, String wanted, String found, String verdict) {}

  private static final List<String> PEERS_WITH_CLOCK =
      List.of(
          "bucket4jMillis",
          "bucket4jNanos",
          "bucket4jSynchronized",
          "guava",
          "resilience4j",
          "failsafeBursty",
          "failsafeSmooth");

  /** How many keys a promise about memory is about; what a run with fewer takes is only told. */
  private static final double KEYS_JUDGED = 10_000_000;

  /** A `Decision` with its head: five longs, three references, a boolean. */
  private static final int DECISION_BYTES = 72;

  private static final double POLICIES_JUDGED = 5_000_000;
  private static final double LOOKUP_NANOS_MAX = 300;

  private static final String HOLDS = "holds";
  private static final String MIN_ONLY = "by minimum only";
  private static final String MISSES = "**misses**";
  private static final String UNKNOWN = "not measured";

  private final Timings timings;
  private final Function<String, @Nullable Facts> facts;
  private final List<Target> targets = new ArrayList<>();

  private Targets(Timings timings, Function<String, @Nullable Facts> facts) {
    this.timings = timings;
    this.facts = facts;
  }

  static List<Target> check(Timings timings, Function<String, @Nullable Facts> facts) {
    Targets all = new Targets(timings, facts);
    all.hotKey();
    all.manyKeys();
    all.memory();
    all.collector();
    all.expiry();
    all.policies();
    return List.copyOf(all.targets);
  }

  private void hotKey() {
    String[] peers = peersOf("hot-key");
    String own = "hot-key HotKeyBenchmark.own";
    String cached = "hot-key HotKeyBenchmark.cached";
    faster("one hot key, own clock, hashed before", 1, own + "Hash t1", peers);
    String older = "hot-key-17";
    faster("the same, JDK 17", 1, older + " HotKeyBenchmark.ownHash t1", peersOf(older));
    faster("one hot key, own clock, `byte[]` key", 1, own + "Bytes t1", peers);
    garbage("the same, garbage", 0, own + "Bytes t1");
    garbage("a whole `Decision`, one object", DECISION_BYTES, own + "DecisionRead t1");
    faster("one hot key, cached clock, hashed before", 3, cached + "Hash t1", peers);
    faster("one hot key, cached clock, `byte[]` key", 3, cached + "Bytes t1", peers);
    faster("one hot key, batch of 16, hashed before", 3, own + "BatchOfHashes t1", peers);
    faster("one hot key, batch of 16, `byte[]` keys", 3, own + "BatchOfBytes t1", peers);
    String denied = "denied HotKeyDeniedBenchmark.";
    for (String peer : List.of("Guava", "Resilience4j")) {
      String theirs = denied + peer.toLowerCase(Locale.ROOT) + " t2";
      String name = "denied hot key, 2 threads, " + peer;
      faster(name + ", hashed before", 3, denied + "ownHash t2", theirs);
      faster(name + ", `byte[]` key", 3, denied + "ownBytes t2", theirs);
    }
  }

  private static String[] peersOf(String step) {
    return PEERS_WITH_CLOCK.stream()
        .map(peer -> step + " HotKeyBenchmark." + peer + " t1")
        .toArray(String[]::new);
  }

  private void manyKeys() {
    String ours = "ManyKeysBenchmark.bytes t1 clock=system keys=";
    String strings = "ManyKeysBenchmark.string t1 clock=system keys=";
    String peer = "ManyKeysPeersBenchmark.string t1 keys=%d library=BUCKET4J";
    String million = peer.formatted(1_000_000);
    String tenMillion = "ten-million " + peer.formatted(10_000_000);
    String batch = "ten-million BatchBenchmark.of16 t1 keys=10000000";
    faster("1 M keys, own clock", 4, "many-keys " + ours + 1_000_000, "many-keys " + million);
    faster(
        "1 M keys, own clock, fresh `String` keys",
        4,
        "many-keys " + strings + 1_000_000,
        "many-keys " + million);
    faster("1 M keys, own clock, G1", 8, "g1 " + ours + 1_000_000, "g1 " + million);
    faster("the same, JDK 17", 8, "g1-17 " + ours + 1_000_000, "g1-17 " + million);
    atMost("10 M keys, batch of 16", 75, batch);
    atMost("the same, with what a keyed hash may cost", 95, batch);
    faster("10 M keys, batch of 16", 10, batch, tenMillion);
  }

  private void memory() {
    for (String name : Report.MEMORY) {
      Facts found = facts.apply("memory." + name);
      double max = name.equals("gcra") ? 24 : 48;
      if (found != null
          && found.number("keys") >= KEYS_JUDGED
          && !found.text("algorithm").matches("sliding-window-log|concurrency")) {
        double bytes = found.number("bytesPerKey");
        add(
            "memory at %,.0f keys, %s".formatted(found.number("keys"), name),
            "<= %.0f B/key".formatted(max),
            "%.1f B/key".formatted(bytes),
            verdict(bytes <= max && found.number("refused") == 0));
      }
    }
  }

  private void collector() {
    for (String name : Report.COLLECTORS) {
      Facts found = facts.apply("gc." + name + "-penstock");
      Facts none = facts.apply("gc." + name + "-none");
      if (found != null && none != null) {
        double longest = found.number("pauseMillisMaxWithFilling");
        double alone = none.number("pauseMillisMaxWithFilling");
        String text = "%.1f ms, without a limiter %.1f ms".formatted(longest, alone);
        add("10 M keys under load, " + name, "no pause > 5 ms", text, verdict(longest <= 5));
      }
    }
  }

  private void expiry() {
    Facts found = facts.apply("churn");
    if (found == null) {
      return;
    }
    double refused = found.number("refused") + found.number("denied");
    double growth = found.number("bytesLate") / found.number("bytesHalfWay");
    String keys = "%,.0f one-time keys".formatted(found.number("keys"));
    add(
        keys + ", refused for want of memory",
        "0",
        "%.0f".formatted(refused),
        verdict(refused == 0));
    add(
        keys + ", decisions above 1 ms",
        "as many as without a table",
        "%.0f, without a table %.0f".formatted(found.number("slow"), found.number("idleSlow")),
        verdict(found.number("slow") <= 1.5 * found.number("idleSlow") + 3));
    add(
        keys + ", memory at the end / half-way",
        "<= 1.01",
        "%.3f".formatted(growth),
        verdict(growth <= 1.01));
  }

  private void policies() {
    Facts found = facts.apply("policies");
    if (found == null || found.number("policies") < POLICIES_JUDGED) {
      return;
    }
    for (String name : List.of("exact", "bare")) {
      double min = found.number(name + "NanosMin");
      double median = found.number(name + "NanosMedian");
      add(
          "lookup among 5 M policies, " + PolicyBench.LOOKUPS.get(name),
          "< %.0f ns".formatted(LOOKUP_NANOS_MAX),
          "%.0f / %.0f ns".formatted(min, median),
          verdict(min < LOOKUP_NANOS_MAX, median < LOOKUP_NANOS_MAX));
    }
    double bytes = found.number("bytesPerPolicy");
    add("memory of 5 M policies", "< 250 B", "%.1f B".formatted(bytes), verdict(bytes < 250));
    double change = found.number("changeMicrosMedian");
    add("one change among 5 M", "< 100 us", "%.1f us".formatted(change), verdict(change < 100));
  }

  /** Judged by the minimum and by the median, against the fastest of the peers by either. */
  private void faster(String name, double factor, String ours, String... peers) {
    Timing found = timings.find(ours);
    List<Timing> others = Stream.of(peers).map(timings::find).filter(Objects::nonNull).toList();
    String wanted =
        factor == 1 ? "not slower than the fastest" : "%.0f times as fast".formatted(factor);
    if (found == null || others.size() < peers.length) {
      add(name, wanted, "", UNKNOWN);
      return;
    }
    Timing byMin = others.stream().min(Comparator.comparing(Timing::min)).orElseThrow();
    Timing byMedian = others.stream().min(Comparator.comparing(Timing::median)).orElseThrow();
    double min = byMin.min() / found.min();
    double median = byMedian.median() / found.median();
    String text = "%s ns, %.2f / %.2f times".formatted(found, min, median);
    add(name, wanted, text, verdict(min >= factor, median >= factor));
  }

  private void atMost(String name, double nanos, String ours) {
    Timing found = timings.find(ours);
    String wanted = "<= %.0f ns".formatted(nanos);
    if (found == null) {
      add(name, wanted, "", UNKNOWN);
    } else {
      add(name, wanted, found + " ns", verdict(found.min() <= nanos, found.median() <= nanos));
    }
  }

  private void garbage(String name, int bytesMax, String ours) {
    Timing found = timings.find(ours);
    String wanted = "<= %d B".formatted(bytesMax);
    if (found == null) {
      add(name, wanted, "", UNKNOWN);
    } else {
      add(name, wanted, "%.0f B".formatted(found.bytes()), verdict(found.bytes() < bytesMax + 0.5));
    }
  }

  private static String verdict(boolean holds) {
    return holds ? HOLDS : MISSES;
  }

  private static String verdict(boolean byMin, boolean byMedian) {
    if (byMin && byMedian) {
      return HOLDS;
    }
    return byMin ? MIN_ONLY : MISSES;
  }

  private void add(String name, String wanted, String found, String verdict) {
    targets.add(new Target(name, wanted, found, verdict));
  }
}
