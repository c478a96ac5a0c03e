package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.cluster.Attempt.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
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

  /* So many that each group has some, by any node. */
  private static final int HEALED_KEYS = 60;

  /*
   * Starting nodes takes most of the time, so a build has no more than twelve kinds: this seed
   * leaves out those with the most starts, which a long run has. All but one of the others happen
   * to the owner.
   */
  private static final int FAULTS_USUAL = 12;
  private static final long SEED_USUAL = 162_702;

  @TempDir Path folder;

  private final List<Long> struckNanos = new ArrayList<>();

  @Test
  void anyFaults_underLoad_everyStrictAllowIsCountedAndNoLimitExceeded() throws Exception {
    long seed = Long.getLong("seed", SEED_USUAL);
    int count = Integer.getInteger("penstock.faults", FAULTS_USUAL);
    List<Fault> drawn = Fault.draw(new Random(seed), count);
    System.out.println("FaultsIT: -Dseed=" + seed + " " + drawn);
    try (Nodes nodes = new Nodes(folder);
        Wires wires = nodes.wire()) {
      Havoc havoc = new Havoc(nodes, wires, folder);
      List<Fault> faults = drawn.stream().filter(havoc::isPossible).toList();
      System.out.println("FaultsIT: impossible here: " + without(drawn, faults));
      nodes.startAll();
      InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 0);
      /* Until then a node may know no policy, and a check without one is allowed. */
      awaitHealed(nodes);
      Load load = new Load(nodes, seed);
      try (load) {
        for (Fault fault : faults) {
          strike(fault, nodes, havoc, load);
        }
        awaitFilling(load);
      }
      List<Attempt> history = load.history();
      List<Long> allows = before(history, Attempt::isAllowed);
      List<Long> full = before(history, Attempt::isLast);
      System.out.println("FaultsIT: " + report(history, allows, full));
      assertThat(full).as("keys at their limit before each fault").doesNotContain(0L);
      assertThat(Checker.problems(history, Load.CAPACITY, load.used()))
          .as("seed " + seed)
          .isEmpty();
    }
  }

  /** Lets a fault happen while keys come to their limits, and returns when it is healed. */
  private void strike(Fault fault, Nodes nodes, Havoc havoc, Load load) throws Exception {
    int node = fault.node(nodes.awaitOwner(0, "owner"));
    havoc.prepare(fault);
    awaitFilling(load);
    struckNanos.add(System.nanoTime());
    havoc.happen(fault, node);
    awaitHealed(nodes);
  }

  private static void awaitFilling(Load load) {
    long end = System.nanoTime() + AWAIT_NANOS_MAX;
    while (!load.isFilling(BEFORE_NANOS / 2)) {
      assertThat(System.nanoTime()).as("no key comes to its limit").isLessThan(end);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static void awaitHealed(Nodes nodes) {
    long end = System.nanoTime() + HEALED_NANOS_MAX;
    for (int i = 0; i < HEALED_KEYS; i++) {
      awaitDecided(nodes, i % Nodes.COUNT, "healed" + i, end);
    }
  }

  /** Looks at a key until an owner has said what it is, by an instant. */
  private static void awaitDecided(Nodes nodes, int node, String key, long endNanos) {
    Reply reply = nodes.check(node, key, /* cost= */ 0, /* requestId= */ null);
    while (!reply.isStrict()) {
      assertThat(System.nanoTime()).as("%s of node %d: %s", key, node, reply).isLessThan(endNanos);
      reply = nodes.check(node, key, /* cost= */ 0, /* requestId= */ null);
    }
  }

  private static List<Fault> without(List<Fault> all, List<Fault> some) {
    return all.stream().filter(fault -> !some.contains(fault)).toList();
  }

  /** How many answers of a kind came in the 100 ms before each fault. */
  private List<Long> before(List<Attempt> history, Predicate<Attempt> kind) {
    return struckNanos.stream()
        .map(
            at ->
                history.stream()
                    .filter(kind)
                    .map(attempt -> at - attempt.span().heardNanos())
                    .filter(before -> before >= 0 && before < BEFORE_NANOS)
                    .count())
        .toList();
  }

  private static String report(List<Attempt> history, List<Long> allows, List<Long> full) {
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
    return ("%d answers %s, %d of them repeated, by %d epochs; in the 100 ms before each fault"
            + " allowed: %s, keys come to their limit: %s")
        .formatted(history.size(), answers, repeated, epochs, allows, full);
  }
}
