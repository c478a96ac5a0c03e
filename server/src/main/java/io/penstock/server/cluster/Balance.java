package io.penstock.server.cluster;

import io.penstock.core.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the groups of shards evenly: the node that owns most lets the one that owns least have a
 * group, as long as it owns two more. Thread-safe.
 *
 * <p>It moves no more than that takes, and only what it saw twice: whoever comes back or falls
 * behind is not handed a group before it has settled.
 */
final class Balance {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Whoever has more entries to apply than this would keep others waiting. */
  private static final long BEHIND_MAX = 1_000;

  /** The seats of a node in its groups. Implementations never block. */
  interface Seats {
    /** How this node is. */
    NodeState own();

    /** How all nodes are. */
    CompletionStage<List<NodeState>> nodes();

    /** Those that could lead what this one leads. */
    Set<String> heirs(List<NodeState> nodes);

    /** Lets a node lead; ends when that is so, or when it is given up. */
    CompletionStage<?> giveAway(String group, String heir);
  }

  /** What would make it more even. Immutable. */
  record Move(String group, String heir) {}

  private final Seats seats;
  private final Clock clock;
  private final Set<String> kept = ConcurrentHashMap.newKeySet();
  private @Nullable Move seen;
  private volatile boolean ended;

  Balance(Seats seats, Clock clock) {
    this.seats = seats;
    this.clock = clock;
  }

  void begin() {
    clock.after(PAUSE_NANOS).execute(this::round);
  }

  void end() {
    ended = true;
  }

  /** An operator wants this node to own a group: others are given away first. */
  void keep(String group) {
    kept.add(group);
  }

  private void round() {
    if (ended) {
      return;
    }
    CompletionStage<?> moved =
        owned(seats.own()).size() < 2
            ? CompletableFuture.completedFuture(null)
            : seats.nodes().thenCompose(this::moveIfStill);
    var unused = moved.whenComplete((done, failure) -> begin());
  }

  private CompletionStage<?> moveIfStill(List<NodeState> nodes) {
    Move now = move(seats.own().node(), nodes, seats.heirs(nodes), kept);
    boolean isStill = now != null && now.equals(seen);
    seen = isStill ? null : now;
    return isStill && now != null
        ? seats.giveAway(now.group, now.heir)
        : CompletableFuture.completedFuture(null);
  }

  /** Whether nobody should let another lead. */
  static boolean isEven(List<NodeState> nodes, Function<String, Set<String>> heirs) {
    return nodes.stream()
        .allMatch(each -> move(each.node(), nodes, heirs.apply(each.node()), Set.of()) == null);
  }

  private static List<String> owned(NodeState node) {
    return node.leads().stream().filter(group -> !group.equals(Cluster.META)).toList();
  }

  /**
   * What a node should let another lead; null if it is even, or another node should first.
   *
   * @param kept what it keeps as long as it has something else to give
   */
  static @Nullable Move move(
      String node, List<NodeState> nodes, Set<String> heirs, Set<String> kept) {
    Comparator<NodeState> byOwned = Comparator.comparingInt(each -> owned(each).size());
    NodeState most = nodes.stream().max(byOwned.thenComparing(NodeState::node)).orElse(null);
    NodeState least =
        nodes.stream()
            .filter(each -> heirs.contains(each.node()))
            .min(byOwned.thenComparing(NodeState::node))
            .orElse(null);
    if (most == null || least == null || !most.node().equals(node)) {
      return null;
    }
    /* One that came into being just now has a short log, and decides little yet (R19). */
    Comparator<String> cheapest =
        Comparator.<String, Boolean>comparing(kept::contains)
            .thenComparing(group -> applied(most, group));
    return owned(most).size() < owned(least).size() + 2
        ? null
        : owned(most).stream()
            .filter(group -> applied(least, group) + BEHIND_MAX >= applied(most, group))
            .sorted(cheapest)
            .map(group -> new Move(group, least.node()))
            .findFirst()
            .orElse(null);
  }

  private static long applied(NodeState node, String group) {
    return node.groups().stream()
        .filter(each -> each.group().equals(group))
        .mapToLong(Standing::appliedIndex)
        .findFirst()
        .orElse(Long.MIN_VALUE / 2);
  }
}
