package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.cluster.Attempt.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real nodes under load, and one fault after the other: no strict limit is exceeded, nothing
 * that was allowed is forgotten, and no request id counts twice.
 */
class FaultsIT {
  private static final String STRICT =
      "{\"limits\":[\"" + Load.CAPACITY + "/day\"],\"consistency\":\"strict\"}";
  /* 5 s is promised, and a long run holds it; what else the machine does must not end a build. */
  private static final long HEALED_NANOS_MAX =
      TimeUnit.SECONDS.toNanos(Long.getLong("penstock.healed", 30));
  private static final long BEFORE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int FAULTS_USUAL = 7;
  private static final long SEED_USUAL = 1;

  @TempDir Path folder;

  private final List<Long> struckNanos = new ArrayList<>();

  @Test
  void anyFaults_underLoad_everyStrictAllowIsCountedAndNoLimitExceeded() throws Exception {
    long seed = Long.getLong("seed", SEED_USUAL);
    int count = Integer.getInteger("penstock.faults", FAULTS_USUAL);
    List<Fault> faults = Fault.draw(new Random(seed), count);
    System.out.println("FaultsIT: -Dseed=" + seed + " " + faults);
    try (Nodes nodes = new Nodes(folder);
        Wires wires = nodes.wire()) {
      nodes.startAll();
      assertThat(nodes.put(0, "api%2Fuser", STRICT, "If-None-Match", "*").status()).isEqualTo(201);
      /* Until then a node may know no policy, and a check without one is allowed. */
      awaitHealed(nodes);
      Load load = new Load(nodes, seed);
      try (load) {
        for (Fault fault : faults) {
          strike(fault, nodes, wires, load);
        }
        awaitAllowing(load);
      }
      List<Attempt> history = load.history();
      List<Long> allowsBefore = struckNanos.stream().map(at -> allowsBefore(at, history)).toList();
      System.out.println("FaultsIT: " + report(history, allowsBefore));
      assertThat(allowsBefore).as("strict allows before each fault").doesNotContain(0L);
      assertThat(Checker.problems(history, Load.CAPACITY, used(nodes, load)))
          .as("seed " + seed)
          .isEmpty();
    }
  }

  /** Lets a fault happen while checks are allowed, and returns when it is healed. */
  private void strike(Fault fault, Nodes nodes, Wires wires, Load load) throws Exception {
    int node = fault.node(nodes.awaitOwner(0));
    awaitAllowing(load);
    struckNanos.add(System.nanoTime());
    switch (fault.kind()) {
      case KILLED -> {
        nodes.kill(node);
        goOnFor(fault.millis());
        nodes.start(node);
        nodes.awaitReady(node);
      }
      case ENDED -> {
        nodes.end(node);
        nodes.start(node);
        nodes.awaitReady(node);
      }
      case PAUSED -> {
        nodes.signal(node, "STOP");
        goOnFor(fault.millis());
        nodes.signal(node, "CONT");
      }
      case CUT_OFF, MUTE, DEAF, PARTED -> {
        wires.cut((from, to) -> fault.cuts(node, from, to));
        goOnFor(fault.millis());
        wires.cut((from, to) -> false);
      }
    }
    awaitHealed(nodes);
  }

  private static void awaitAllowing(Load load) {
    long end = System.nanoTime() + AWAIT_NANOS_MAX;
    while (!load.isAllowing(BEFORE_NANOS / 2)) {
      assertThat(System.nanoTime()).as("nothing is allowed").isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** How long a fault lasts is a part of it. */
  private static void goOnFor(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void awaitHealed(Nodes nodes) {
    long end = System.nanoTime() + HEALED_NANOS_MAX;
    for (int node = 0; node < Nodes.COUNT; node++) {
      awaitDecided(nodes, node, "healed", end);
    }
  }

  /** Looks at a key until an owner has said what it is, by an instant. */
  private static Reply awaitDecided(Nodes nodes, int node, String key, long endNanos) {
    Reply reply = nodes.check(node, key, /* cost= */ 0, /* requestId= */ null);
    while (!reply.isStrict()) {
      assertThat(System.nanoTime()).as("%s of node %d: %s", key, node, reply).isLessThan(endNanos);
      reply = nodes.check(node, key, /* cost= */ 0, /* requestId= */ null);
    }
    return reply;
  }

  /** What each key has used, by whichever node is asked. */
  private static Map<String, Long> used(Nodes nodes, Load load) {
    Map<String, Long> used = new HashMap<>();
    for (String key : load.keys()) {
      long end = System.nanoTime() + HEALED_NANOS_MAX;
      Reply reply = awaitDecided(nodes, used.size() % Nodes.COUNT, key, end);
      used.put(key, Load.CAPACITY - reply.remaining());
    }
    return used;
  }

  private static long allowsBefore(long atNanos, List<Attempt> history) {
    return history.stream()
        .filter(Attempt::isAllowed)
        .map(attempt -> atNanos - attempt.span().heardNanos())
        .filter(before -> before >= 0 && before < BEFORE_NANOS)
        .count();
  }

  private static String report(List<Attempt> history, List<Long> allowsBefore) {
    Map<Kind, Long> answers =
        history.stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.verdict().kind(), TreeMap::new, Collectors.counting()));
    long epochs =
        history.stream()
            .mapToLong(each -> each.verdict().epoch())
            .filter(e -> e > 0)
            .distinct()
            .count();
    long repeated = history.stream().filter(each -> each.verdict().isDuplicate()).count();
    return "%d answers %s, %d of them repeated, by %d epochs; allowed in 100 ms before each: %s"
        .formatted(history.size(), answers, repeated, epochs, allowsBefore);
  }
}
