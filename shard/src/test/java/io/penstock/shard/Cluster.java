package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Three replicas and a log as Raft gives it, in one thread, with every fault drawn from a seed:
 * owners that go on after they were deposed, entries that get lost, come twice, in another order or
 * in a later term. Confined.
 */
final class Cluster {
  static final int KEYS = 4;
  static final long CAPACITY = 20;

  private static final int NODES = 3;
  private static final Limit LIMIT = Limit.parse("1/year burst " + CAPACITY);
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;

  /** What was put into the log, and in which term it came there. */
  private record Logged(long term, ByteBuffer entry) {}

  /** What an owner wants to append, and has had no answer to. */
  private record Wanted(ByteBuffer entry, CompletableFuture<Void> reply) {}

  /** One node: its replica, how far it has applied, and its shard while it believes to own. */
  private final class Node {
    private Replica replica;
    private int applied;
    private long unfencedTerm;
    private long unfencedNumber;
    private final List<Wanted> wanted = new ArrayList<>();
    private Replica.@Nullable Owned owned;

    private Node() {
      this.replica = new Replica(options);
    }

    private void applyTo(int end) {
      while (applied < end) {
        Logged next = log.get(applied++);
        boolean counts = replica.apply(next.term, bytes(next));
        Boolean before = counted.putIfAbsent(applied, counts);
        assertThat(before == null || before == counts).as("entry %d", applied).isTrue();
      }
    }

    /** What is applied: if nothing is fenced, then as if it were what has to come next. */
    private ByteBuffer bytes(Logged next) {
      if (flaw != Flaw.UNFENCED) {
        return next.entry.duplicate();
      }
      unfencedNumber = next.term == unfencedTerm ? unfencedNumber + 1 : 1;
      unfencedTerm = next.term;
      Entry entry = Entry.read(next.entry);
      return Entry.of(next.term, unfencedNumber, entry.stampNanos(), entry.bytes()).get(0);
    }

    private CompletableFuture<Void> want(ByteBuffer entry) {
      CompletableFuture<Void> reply = new CompletableFuture<>();
      wanted.add(new Wanted(entry, reply));
      if (flaw == Flaw.HASTY && owned != null) {
        Entry read = Entry.read(entry);
        owned.log().accepted(read.term(), read.number());
      }
      return reply;
    }

    /** Becomes the owner: everything in the log is applied, and a new term begins. */
    private void own(long newTerm) {
      if (flaw != Flaw.BEHIND) {
        applyTo(log.size());
      }
      owned = replica.begin(newTerm, new Rules(), clock.nanos(), this::want, () -> owned = null);
      for (int key = 0; key < KEYS; key++) {
        assertThat(used(this, key)).as("used of key %d", key).isGreaterThanOrEqualTo(kept[key]);
      }
    }
  }

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-15T12:00:00Z"));
  private final ShardOptions options = ShardOptions.of(null, clock, 1 << 20).small(4, 1 << 20);
  private final SplittableRandom random;
  private final Flaw flaw;
  private final List<Logged> log = new ArrayList<>();
  private final Map<Integer, Boolean> counted = new HashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final long[] kept = new long[KEYS];
  private final Set<Long> remembered = new HashSet<>();
  private final Turn turn = new Turn();
  private Node leader;
  private long term;
  private long ids;
  private int lostAnswers;

  Cluster(long seed, Flaw flaw) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Node());
    }
    this.leader = nodes.get(0);
    elect(leader);
  }

  /** Whatever comes next. */
  void step(@Nullable Path folder) throws IOException {
    Node node = nodes.get(random.nextInt(NODES));
    clock.advanceNanos(random.nextInt(5_000_000));
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> decide(node);
      case 4, 5, 6 -> send(node);
      case 7, 8 -> append(node);
      case 9 -> node.applyTo(node.applied + random.nextInt(log.size() - node.applied + 1));
      case 10 -> mayElect(node);
      default -> mayRestart(node, folder);
    }
  }

  private void decide(Node node) {
    Replica.Owned owned = node.owned;
    if (owned == null) {
      return;
    }
    int key = random.nextInt(KEYS);
    long id = random.nextInt(4) == 0 ? ++ids : 0;
    long generation = owned.shard().enter();
    boolean allowed;
    try {
      Rule rule = owned.shard().rules().shared(LIMIT, Algorithm.GCRA);
      owned
          .shard()
          .table()
          .play(turn.of((key + 1) * KEY, rule, owned.shard().clock().nanos()).asks(1));
      allowed = turn.step().allowed();
      if (allowed && id != 0) {
        owned.shard().ids().put(id, id, new byte[1], owned.shard().clock().nanos());
      }
    } finally {
      owned.shard().leave(generation);
    }
    owned
        .shard()
        .whenDurable(
            generation,
            isKept -> {
              lostAnswers += isKept ? 0 : 1;
              if (isKept) {
                answered(key, id, allowed);
              }
            });
  }

  private void answered(int key, long id, boolean allowed) {
    if (allowed) {
      kept[key]++;
      assertThat(kept[key]).as("admitted of key %d", key).isLessThanOrEqualTo(CAPACITY);
      if (id != 0) {
        remembered.add(id);
      }
    }
  }

  private static void send(Node node) throws IOException {
    if (node.owned != null) {
      node.owned.log().step();
    }
  }

  /** What somebody wants to append comes into the log, if it leads; in whatever order. */
  private void append(Node node) {
    if (node.wanted.isEmpty()) {
      return;
    }
    int which = random.nextInt(4) == 0 ? random.nextInt(node.wanted.size()) : 0;
    Wanted wanted = random.nextInt(8) == 0 ? node.wanted.get(which) : node.wanted.remove(which);
    if (node == leader) {
      log.add(new Logged(term, wanted.entry));
      leader.applyTo(log.size() - random.nextInt(2));
    } else if (random.nextBoolean()) {
      node.wanted.remove(wanted);
      wanted.reply.completeExceptionally(new IOException("not the leader"));
    }
  }

  private void mayElect(Node node) {
    if (random.nextInt(3) == 0) {
      elect(node);
    }
  }

  /** A new leader; the old one may not know for a while, and goes on. */
  private void elect(Node node) {
    Node before = leader;
    leader = node;
    term++;
    if (before != node && random.nextBoolean()) {
      before.replica.end();
    }
    node.own(term);
  }

  /** A node forgets all but what it has written, and reads that again. */
  private void mayRestart(Node node, @Nullable Path folder) throws IOException {
    if (folder == null || random.nextInt(4) != 0 || node == leader) {
      return;
    }
    node.replica.end();
    node.wanted.clear();
    Replica fresh = new Replica(options);
    if (node.replica.isWhole() && node.applied > 0) {
      Path file = folder.resolve("copy");
      node.replica.copy(node.applied).write(file);
      fresh.read(file);
    } else {
      node.applied = 0;
      node.unfencedTerm = 0;
    }
    node.replica = fresh;
  }

  private long used(Node node, int key) {
    Replica.Owned owned = node.owned;
    if (owned == null) {
      throw new IllegalStateException("not an owner");
    }
    Rule rule = owned.shard().rules().shared(LIMIT, Algorithm.GCRA);
    owned
        .shard()
        .table()
        .play(turn.of((key + 1) * KEY, rule, owned.shard().clock().nanos()).asks(0));
    return CAPACITY - turn.step().remaining();
  }

  /** Everything heals: a new owner knows all that was answered. */
  void heal() {
    elect(nodes.get(random.nextInt(NODES)));
    Replica.Owned owned = leader.owned;
    for (long id : remembered) {
      assertThat(owned != null && owned.shard().ids().get(id, id) != null).as("id %d", id).isTrue();
    }
  }

  /** How many units were answered as allowed, over all keys. */
  long admitted() {
    long sum = 0;
    for (long units : kept) {
      sum += units;
    }
    return sum;
  }

  long terms() {
    return term;
  }

  int lostAnswers() {
    return lostAnswers;
  }
}
