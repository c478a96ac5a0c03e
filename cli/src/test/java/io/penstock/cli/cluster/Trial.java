package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * Does to real nodes, for each rule, what shows whether they follow it, and has the checker look at
 * what they said. Confined to one thread.
 */
final class Trial {
  static final long CAPACITY = 10;

  private static final int OFF = 0;
  private static final int DRAINED = 1;
  private static final int THIRD = 2;
  private static final int STALE_CHECKS = 5;
  private static final int KEYS_MAX = 100;
  private static final long SPREAD_SECONDS = 60;
  private static final Duration NEVER = Duration.ofDays(1);

  /* What `fast` may lose is what it admits in 60 ms and one flush more, and nothing else. */
  private static final long BEYOND_THE_WINDOW_MILLIS = 100;
  private static final long REFILLED_MILLIS = 1_200;
  private static final long REFUNDED_MILLIS = 2_000;

  private final Nodes nodes;
  private final Wires wires;
  private final FakeClock clock;
  private long policyVersion;

  /** Of nodes that are not started yet. */
  Trial(Nodes nodes, Wires wires, Path folder) throws IOException {
    this.nodes = nodes;
    this.wires = wires;
    this.clock = FakeClock.at(folder.resolve("clock"));
    nodes.environment(OFF, clock.environment());
  }

  /** What the checker finds when nodes are tried on what a flaw is about. */
  List<String> problems(Flaw flaw) throws IOException, InterruptedException {
    return switch (flaw) {
      case NO_FENCING -> ofStaleOwner("10/day", Reply.STRICT, /* millis= */ 0);
      case ENDLESS_WINDOW -> ofStaleOwner("10/day", Reply.FAST, BEYOND_THE_WINDOW_MILLIS);
      case FULL_REFUND -> ofLateTakeBack();
      case WALL_CLOCK -> ofOwnerAnHourAhead();
    };
  }

  private Witness witness(String limit, String consistency) {
    return witness(limit, consistency, /* more= */ "");
  }

  private Witness witness(String limit, String consistency, String more) {
    String policy =
        "{\"limits\":[\"%s\"],\"consistency\":\"%s\",\"failMode\":\"closed\"%s}"
            .formatted(limit, consistency, more);
    InForce.put(nodes, "api%2Fuser", policy, policyVersion++);
    return new Witness(nodes, consistency);
  }

  private void cutOff(int node) {
    wires.delay((from, to) -> from == node || to == node ? NEVER : Duration.ZERO);
  }

  private void cutOff(int one, int other) {
    wires.delay(
        (from, to) ->
            (from == one && to == other) || (from == other && to == one) ? NEVER : Duration.ZERO);
  }

  private void heal() {
    wires.delay((from, to) -> Duration.ZERO);
  }

  /** A key of which the owner is one of those wanted; at first one node may own all. */
  private static String keyOf(Witness witness, String name, IntPredicate isWanted) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SPREAD_SECONDS);
    for (int i = 0; System.nanoTime() < end; i = (i + 1) % KEYS_MAX) {
      String key = name + i;
      if (isWanted.test(witness.look(THIRD, key).owner())) {
        return key;
      }
    }
    throw new AssertionError(name + ": no key of that owner (expected: all own something)");
  }

  private static void useUp(Witness witness, int node, String key) {
    while (witness.ask(node, key, /* id= */ null).verdict().kind() != Attempt.Kind.DENIED) {
      Thread.onSpinWait();
    }
  }

  /** Asks an owner that was cut off after a time, and then those who have gone on without it. */
  private List<String> ofStaleOwner(String limit, String consistency, long millis) {
    Witness witness = witness(limit, consistency);
    String key = "stale-" + consistency;
    int owner = witness.look(THIRD, key).owner();
    assertThat(witness.ask(owner, key, /* id= */ null).isAllowed()).isTrue();
    Havoc.last(millis);
    cutOff(owner);
    Havoc.last(millis);
    for (int i = 0; i < STALE_CHECKS; i++) {
      witness.ask(owner, key, /* id= */ null);
    }
    useUp(witness, (owner + 1) % Nodes.COUNT, key);
    heal();
    return Checker.problems(witness.history(), CAPACITY, witness.used(CAPACITY));
  }

  /**
   * A check over two keys takes from one, and never hears of the other; it can say so only after
   * the first has refilled by itself and was used up by others.
   */
  private List<String> ofLateTakeBack() {
    /* So long that whoever looks sees what was taken before it is given back. */
    Witness witness = witness("10/s burst 10", Reply.STRICT, ",\"budgetMs\":1000");
    String taken = "taken";
    int owner;
    int entry;
    CompletableFuture<Reply> both;
    /*
     * On a machine that is slow it may be given back before anybody looks; and whoever owns may
     * change, as long as the shards are still being spread.
     */
    do {
      heal();
      int first = witness.look(THIRD, taken).owner();
      String silent = keyOf(witness, "silent", other -> other != first);
      int second = witness.look(THIRD, silent).owner();
      owner = first;
      entry = Nodes.COUNT - first - second;
      cutOff(entry, second);
      both = send(entry, both(taken, silent));
    } while (!isSeen(witness, owner, taken, both));
    cutOff(entry);
    Havoc.last(REFILLED_MILLIS);
    assertThat(both.join().body()).contains("\"reason\":\"fail-closed\"");
    useUp(witness, owner, taken);
    heal();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REFUNDED_MILLIS);
    while (System.nanoTime() < end) {
      witness.ask(owner, taken, /* id= */ null);
    }
    return Checker.problemsOfBucket(
        witness.history(), CAPACITY, TimeUnit.MILLISECONDS.toNanos(100));
  }

  /** Whether a key is seen to be used before the check that uses it is over. */
  private static boolean isSeen(
      Witness witness, int owner, String key, CompletableFuture<Reply> check) {
    while (witness.look(owner, key).remaining() == CAPACITY) {
      if (check.isDone()) {
        return false;
      }
    }
    return true;
  }

  private CompletableFuture<Reply> send(int node, String check) {
    return CompletableFuture.supplyAsync(() -> nodes.post(node, "/v1/check", check));
  }

  private static String both(String first, String second) {
    String key = "[{\"key\":\"user\",\"value\":\"%s\"}]";
    return "{\"domain\":\"api\",\"descriptors\":[%s,%s],\"cost\":%d}"
        .formatted(key.formatted(first), key.formatted(second), CAPACITY);
  }

  /** A node comes back with another time of the day, and owns what was used up. */
  private List<String> ofOwnerAnHourAhead() throws IOException, InterruptedException {
    Witness witness = witness("1/min burst 10", Reply.STRICT);
    String key = keyOf(witness, "hour", owner -> owner != OFF);
    useUp(witness, THIRD, key);
    nodes.kill(OFF);
    clock.step(Duration.ofHours(1));
    nodes.start(OFF);
    nodes.awaitHealth(OFF, "ms ahead of the others");
    /* Two clocks do not tell which one is off, so the one that is may own. */
    nodes.kill(THIRD);
    assertThat(new Console().run(nodes.url(DRAINED), "cluster", "drain", Nodes.name(DRAINED)))
        .isIn(0, 1);
    while (witness.look(DRAINED, key).owner() != OFF) {
      Thread.onSpinWait();
    }
    useUp(witness, DRAINED, key);
    return Checker.problemsOfBucket(witness.history(), CAPACITY, TimeUnit.MINUTES.toNanos(1));
  }
}
