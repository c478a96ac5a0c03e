package io.penstock.server.cluster;

import io.penstock.cluster.Peer;
import io.penstock.cluster.Raft;
import io.penstock.cluster.ShardGroups;
import io.penstock.core.Clock;
import io.penstock.server.node.Asker;
import io.penstock.server.node.Heat;
import io.penstock.server.node.KeyRate;
import io.penstock.server.node.ShardRate;
import io.penstock.server.node.Signature;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.policy.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of a cluster among the others: tells how it is, and asks them the same. Thread-safe. */
final class ClusterTopology implements Topology {
  private static final Duration STATE_MAX = Duration.ofMillis(500);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(9);
  private static final Duration MOVE_MAX = Duration.ofSeconds(4);

  private final String name;
  private final Supplier<Raft> raft;
  private final Relocation relocation;
  private final Drain drain;
  private final Balance balance;
  private final Survey survey;
  private final List<Consumer<String>> groupListeners = new ArrayList<>();
  private final Set<String> told = new HashSet<>();

  /**
   * One of the nodes.
   *
   * @param raft this node's part in the cluster, once it is open
   * @param relocation has single shards moved
   * @param heat what it decides; null as long as it cannot
   */
  ClusterTopology(
      String name,
      Supplier<Raft> raft,
      Relocation relocation,
      Supplier<@Nullable Heat> heat,
      Clock clock) {
    this.name = name;
    this.raft = raft;
    this.relocation = relocation;
    OwnSeats seats = new OwnSeats(raft, this::own, this::states, relocation.map());
    this.drain = new Drain(seats, clock);
    this.balance = new Balance(seats, clock);
    this.survey = new Survey(name, heat, (node, ask, max) -> raft.get().forward(node, ask, max));
  }

  /** From now on what this node owns is balanced against what others own. */
  void begin() {
    balance.begin();
  }

  /** Gives nothing away any more: the process ends. */
  void end() {
    drain.end();
    balance.end();
  }

  @Override
  public String node() {
    return name;
  }

  @Override
  public @Nullable String cluster() {
    return raft.get().cluster();
  }

  @Override
  public List<Standing> groups() {
    return raft.get().groups().stream().map(this::group).toList();
  }

  @Override
  public Standing group(String group) {
    return Standing.of(raft.get().group(group));
  }

  @Override
  public synchronized void onGroup(Consumer<String> listener) {
    Topology.super.onGroup(listener);
    told.addAll(raft.get().groups());
    groupListeners.add(listener);
  }

  /** A group is there that was not, as the node knows by now (R19). */
  synchronized void opened(String group) {
    if (!groupListeners.isEmpty() && told.add(group)) {
      groupListeners.forEach(listener -> listener.accept(group));
    }
  }

  @Override
  public Standing shard(int shard) {
    Placement placement = relocation.map().get(shard);
    Standing standing = group(ShardGroups.name(relocation.map().group(placement)));
    return standing.inGeneration(placement.generation());
  }

  /** All but one of the groups share the shards. */
  private int shardGroups() {
    return raft.get().groups().size() - 1;
  }

  private List<String> names() {
    return groups().stream().flatMap(each -> each.replicas().stream()).distinct().sorted().toList();
  }

  @Override
  public void nodes(Asker<List<NodeState>> done) {
    var unused = states().thenAccept(done);
  }

  private CompletionStage<List<NodeState>> states() {
    return states(NodeOrder.Wish.TELL);
  }

  /** How all nodes are, if they understand a wish; who does not is unreachable. */
  CompletionStage<List<NodeState>> states(NodeOrder.Wish wish) {
    List<CompletableFuture<NodeState>> asked =
        names().stream().map(node -> state(node, wish)).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<NodeState> state(String node, NodeOrder.Wish wish) {
    return asked(node, NodeOrder.of(wish), STATE_MAX)
        .exceptionally(gone -> NodeState.unreachable(node));
  }

  private NodeState own() {
    return new NodeState(
        name, /* reachable= */ true, keepsAway(), /* clockOffsetMillis= */ 0L, groups());
  }

  /** Whether nobody should let this node lead: it gives it back, or cannot write (R10). */
  private boolean keepsAway() {
    return drain.isBegun() || raft.get().diskTrouble() != null;
  }

  @Override
  public void rates(Asker<Map<String, List<ShardRate>>> done) {
    Report.tell(survey.rates(owners()), done);
  }

  @Override
  public void keys(Asker<Map<String, List<KeyRate>>> done) {
    Report.tell(survey.keys(owners()), done);
  }

  private List<String> owners() {
    return groups().stream().map(Standing::leader).filter(Objects::nonNull).distinct().toList();
  }

  private void check(String node) {
    if (!names().contains(node)) {
      throw new IllegalArgumentException(
          "node: " + node + " (expected: one of " + String.join(", ", names()) + ")");
    }
  }

  @Override
  public void drain(String node, Asker<NodeState> done) {
    check(node);
    var silent = new UnavailableException("node: " + node + " (expected: an answer)");
    Report.tell(
        asked(node, NodeOrder.of(NodeOrder.Wish.DRAIN), DRAIN_MAX)
            .exceptionallyCompose(gone -> CompletableFuture.failedFuture(silent)),
        done);
  }

  @Override
  public void move(int shard, String node, Asker<Standing> done) {
    if (shard < 0 || shard >= Signature.SHARDS) {
      throw new IllegalArgumentException(
          "shard: " + shard + " (expected: 0.." + (Signature.SHARDS - 1) + ")");
    }
    check(node);
    int target = target(shard, node);
    Report.tell(
        (target == Placement.NONE ? movedGroup(shard, node) : relocation.move(shard, target))
            .thenApply(moved -> shard(shard)),
        done);
  }

  /** Where it goes; nowhere if the node has it already, or has no group. */
  private int target(int shard, String node) {
    return node.equals(shard(shard).leader())
        ? Placement.NONE
        : relocation
            .map()
            .smallest(shardGroups(), each -> node.equals(group(ShardGroups.name(each)).leader()));
  }

  /** A node that owns nothing gets the whole group. */
  private CompletionStage<?> movedGroup(int shard, String node) {
    String group = shard(shard).group();
    return asked(node, new NodeOrder(NodeOrder.Wish.KEEP, group, node), STATE_MAX)
        .thenCompose(kept -> moved(group, node));
  }

  private CompletionStage<NodeState> moved(String group, String node) {
    String owner = group(group).leader();
    return owner == null
        ? CompletableFuture.failedFuture(new UnavailableException("group " + group + ": no owner"))
        : asked(owner, new NodeOrder(NodeOrder.Wish.MOVE, group, node), MOVE_MAX);
  }

  @Override
  public void add(String node, Asker<List<String>> done) {
    Peer peer;
    try {
      peer = Peer.parse(node);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("node: " + node + " (expected: " + e.getMessage() + ")");
    }
    Report.tell(raft.get().add(peer), done);
  }

  @Override
  public void remove(String node, Asker<List<String>> done) {
    Report.tell(raft.get().remove(node), done);
  }

  private CompletableFuture<NodeState> asked(String node, NodeOrder order, Duration timeout) {
    CompletionStage<NodeState> asked =
        node.equals(name)
            ? done(order).thenApply(done -> own())
            : raft.get()
                .forward(node, order.write(), timeout)
                .thenApply(bytes -> read(node, bytes));
    return asked.toCompletableFuture();
  }

  /** Does what a node is asked to do, on this node. */
  private CompletionStage<?> done(NodeOrder order) {
    return switch (order.wish()) {
      case TELL, RATES, KEYS, GROW -> CompletableFuture.completedFuture(null);
      case DRAIN -> drain.begin();
      case KEEP -> {
        balance.keep(order.group());
        yield CompletableFuture.completedFuture(null);
      }
      case MOVE -> raft.get().group(order.group()).offer(order.node());
    };
  }

  private NodeState read(String node, byte[] bytes) {
    return NodeState.read(node, bytes).ahead(offsetMillis(node));
  }

  private @Nullable Long offsetMillis(String node) {
    Long ahead = raft.get().aheadNanos(node);
    return ahead == null ? null : Long.valueOf(TimeUnit.NANOSECONDS.toMillis(ahead));
  }

  /** What another node is told. */
  CompletionStage<byte[]> answer(byte[] question) {
    NodeOrder order = NodeOrder.read(question);
    return switch (order.wish()) {
      case RATES, KEYS -> survey.answer(order.wish());
      default -> done(order).thenApply(done -> own().write());
    };
  }
}
