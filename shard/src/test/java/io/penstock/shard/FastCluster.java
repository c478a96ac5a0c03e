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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Three replicas and a log in one thread, under a limit that refills, whose owners answer at once
 * while they may (R14), take back what they have given (R21), and go on for a while after they were
 * deposed; their wall clocks are hours apart. Everything is drawn from a seed. Confined.
 */
final class FastCluster {
  /** A rule that is not followed, to see that it is noticed. */
  enum Flaw {
    NONE,
    /** R14: an answer leaves at once however long ago a quorum has accepted anything. */
    ENDLESS_WINDOW,
    /** R21: what is taken back comes back whole, also what has drained meanwhile. */
    FULL_REFUND,
    /** R15: a new owner goes on by its own wall clock. */
    WALL_CLOCK
  }

  private static final int NODES = 3;
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;
  private static final Limit LIMIT = Limit.parse("100/s burst 20");
  private static final long INTERVAL_NANOS = Duration.ofMillis(10).toNanos();
  private static final long CAPACITY = 20;

  /** What one owner may lose: what it answers within the window, and one flush more. */
  private static final long LOST_NANOS =
      ReplicatedLog.FRESH_NANOS + Duration.ofMillis(10).toNanos();

  private record Logged(long term, ByteBuffer entry) {}

  /** Units that were answered as allowed. */
  private static final class Admitted {
    private final long term;
    private final long atNanos;
    private final long units;
    private boolean takenBack;

    private Admitted(long term, long atNanos, long units) {
      this.term = term;
      this.atNanos = atNanos;
      this.units = units;
    }
  }

  private record Held(Admitted admitted, long ticket) {}

  private final class Node {
    private final Replica replica = new Replica(options);
    private final List<ByteBuffer> wanted = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final long wallAheadNanos;
    private int applied;
    private long ownedTerm;
    private Replica.@Nullable Owned owned;

    private Node(long wallAheadNanos) {
      this.wallAheadNanos = wallAheadNanos;
    }

    private void applyAll() {
      while (applied < log.size()) {
        Logged next = log.get(applied++);
        replica.apply(next.term, next.entry.duplicate());
      }
    }

    private void own() {
      applyAll();
      held.clear();
      wanted.clear();
      ownedTerm = ++term;
      long now = clock.nanos() + (flaw == Flaw.WALL_CLOCK ? wallAheadNanos : 0);
      owned = replica.begin(ownedTerm, new Rules(), now, this::want, () -> owned = null);
      leader = this;
    }

    private CompletableFuture<Void> want(ByteBuffer entry) {
      wanted.add(entry);
      return new CompletableFuture<>();
    }
  }

  private final ManualClock clock = new ManualClock();
  private final ShardOptions options = ShardOptions.of(null, clock, 1 << 20).small(4, 1 << 20);
  private final SplittableRandom random;
  private final Flaw flaw;
  private final List<Logged> log = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Admitted> admitted = new ArrayList<>();
  private final Turn turn = new Turn();
  private Node leader;
  private long term;
  private int checked;

  FastCluster(long seed, Flaw flaw) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    for (int i = 0; i < NODES; i++) {
      nodes.add(new Node(Duration.ofHours(1 - i).toNanos()));
    }
    this.leader = nodes.get(0);
    leader.own();
  }

  /** Whatever comes next. */
  void step() throws IOException {
    clock.advanceNanos(random.nextInt(5_000_000));
    Node node = random.nextInt(3) == 0 ? nodes.get(random.nextInt(NODES)) : leader;
    Replica.Owned owned = node.owned;
    int what = random.nextInt(100);
    if (what < 1) {
      nodes.get(random.nextInt(NODES)).own();
    } else if (owned != null && what < 50) {
      take(node, owned, 1 + random.nextInt(4));
    } else if (owned != null && what < 54) {
      takeBack(node, owned);
    } else if (owned != null && what < 80) {
      send(owned);
    } else if (!leader.wanted.isEmpty()) {
      log.add(new Logged(term, leader.wanted.remove(0)));
      leader.applyAll();
    }
  }

  private static void send(Replica.Owned owned) {
    try {
      owned.log().step();
    } catch (IOException e) {
      // Nobody has answered for a second: the term ends.
      owned.log().end();
    }
  }

  private void take(Node node, Replica.Owned owned, long units) {
    long generation = owned.shard().enter();
    Rule rule = owned.shard().rules().shared(LIMIT, Algorithm.GCRA);
    owned.shard().table().play(turn.of(KEY, rule, owned.shard().clock().nanos()).asks(units));
    owned.shard().leave(generation);
    if (!turn.step().allowed()) {
      return;
    }
    Admitted taken = new Admitted(node.ownedTerm, clock.nanos(), units);
    node.held.add(new Held(taken, turn.step().ticket()));
    if (flaw == Flaw.ENDLESS_WINDOW || owned.shard().keepsUp(clock.nanos())) {
      admitted.add(taken);
    } else {
      owned
          .shard()
          .whenDurable(
              generation,
              isKept -> {
                if (isKept) {
                  admitted.add(taken);
                }
              });
    }
  }

  private void takeBack(Node node, Replica.Owned owned) {
    if (node.held.isEmpty()) {
      return;
    }
    Held held = node.held.remove(random.nextInt(node.held.size()));
    long ticket = flaw == Flaw.FULL_REFUND ? 0 : held.ticket;
    long generation = owned.shard().enter();
    Rule rule = owned.shard().rules().shared(LIMIT, Algorithm.GCRA);
    turn.of(KEY, rule, owned.shard().clock().nanos());
    owned.shard().table().play(turn.asks(Turn.Ask.GIVE_BACK, held.admitted.units, ticket));
    owned.shard().leave(generation);
    held.admitted.takenBack = true;
  }

  /**
   * Over every span, what must not be lost is no more than capacity and refill (L1, L10). What may
   * be lost is what each owner but the present one has answered last.
   */
  void check() {
    long[] keptUntil = new long[(int) term];
    for (Admitted each : admitted) {
      if (each.term < term) {
        int ended = (int) each.term;
        keptUntil[ended] = Math.max(keptUntil[ended], each.atNanos - LOST_NANOS);
      }
    }
    List<Admitted> kept =
        admitted.stream()
            .filter(each -> !each.takenBack)
            .filter(each -> each.term == term || each.atNanos <= keptUntil[(int) each.term])
            .sorted(Comparator.comparingLong(each -> each.atNanos))
            .toList();
    long fullNanos = 0;
    for (Admitted each : kept) {
      fullNanos = Math.max(fullNanos, each.atNanos) + each.units * INTERVAL_NANOS;
      long over = fullNanos - each.atNanos - CAPACITY * INTERVAL_NANOS;
      assertThat(over).as("admitted beyond the limit, in nanos").isLessThanOrEqualTo(0);
    }
    checked += kept.size();
  }

  /** How many answers were looked at that must not be lost. */
  int checked() {
    return checked;
  }

  long terms() {
    return term;
  }
}
