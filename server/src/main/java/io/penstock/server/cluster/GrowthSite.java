package io.penstock.server.cluster;

import io.penstock.cluster.Raft;
import io.penstock.server.policy.LateGroup;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster that may grow, as one of its nodes sees it (R19). Thread-safe. */
final class GrowthSite implements Grower.Site {
  private final Supplier<Raft> raft;
  private final ClusterTopology topology;
  private final Relocation relocation;

  GrowthSite(Supplier<Raft> raft, ClusterTopology topology, Relocation relocation) {
    this.raft = raft;
    this.topology = topology;
    this.relocation = relocation;
  }

  @Override
  public boolean isLeader() {
    return raft.get().group(Cluster.META).isLeader();
  }

  @Override
  public CompletionStage<List<NodeState>> nodes() {
    return topology.states(NodeOrder.Wish.GROW);
  }

  @Override
  public boolean isEven(List<NodeState> nodes) {
    return Balance.isEven(
        OwnSeats.sharing(nodes, relocation.map()),
        node -> OwnSeats.heirs(node, nodes, raft.get()::isOnTime));
  }

  @Override
  public @Nullable String founders() {
    return raft.get().late().founders();
  }

  @Override
  public CompletionStage<?> propose(LateGroup group) {
    return CompletableFuture.runAsync(() -> relocation.propose(group));
  }

  @Override
  public CompletionStage<?> move(int shard, int group) {
    return relocation.move(shard, group);
  }
}
