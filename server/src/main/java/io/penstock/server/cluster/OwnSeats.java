package io.penstock.server.cluster;

import io.penstock.cluster.Raft;
import io.penstock.cluster.ShardGroups;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The seats of this node in its groups, to be given away. Thread-safe. */
final class OwnSeats implements Drain.Seats, Balance.Seats {
  private final Supplier<Raft> raft;
  private final Supplier<NodeState> own;
  private final Supplier<CompletionStage<List<NodeState>>> states;
  private final ShardMap map;

  /**
   * The seats of a node.
   *
   * @param own how it is
   * @param states how all are
   * @param map which groups have shards
   */
  OwnSeats(
      Supplier<Raft> raft,
      Supplier<NodeState> own,
      Supplier<CompletionStage<List<NodeState>>> states,
      ShardMap map) {
    this.raft = raft;
    this.own = own;
    this.states = states;
    this.map = map;
  }

  @Override
  public List<String> led() {
    return own().leads();
  }

  @Override
  public CompletionStage<Set<String>> heirs() {
    return states.get().thenApply(all -> Drain.heirs(own().node(), all, raft.get()::isOnTime));
  }

  @Override
  public CompletionStage<?> giveAway(String group, Set<String> heirs) {
    return raft.get().group(group).giveAway(heirs::contains);
  }

  @Override
  public NodeState own() {
    return own.get();
  }

  @Override
  public CompletionStage<List<NodeState>> nodes() {
    return states.get().thenApply(all -> sharing(all, map));
  }

  /**
   * Nodes without the groups that are spare: beyond as many as there are nodes, and empty (R19).
   */
  static List<NodeState> sharing(List<NodeState> nodes, ShardMap map) {
    Set<String> shared =
        IntStream.concat(IntStream.range(0, nodes.size()), map.groups())
            .mapToObj(ShardGroups::name)
            .collect(Collectors.toSet());
    return nodes.stream().map(each -> each.only(shared::contains)).toList();
  }

  @Override
  public Set<String> heirs(List<NodeState> nodes) {
    return heirs(own().node(), nodes, raft.get()::isOnTime);
  }

  /** Those that a node could let own more, and keep it. */
  static Set<String> heirs(String node, List<NodeState> nodes, Predicate<String> isOnTime) {
    return Drain.heirs(node, nodes, isOnTime).stream().filter(isOnTime).collect(Collectors.toSet());
  }

  @Override
  public CompletionStage<?> giveAway(String group, String heir) {
    return raft.get().group(group).offer(heir);
  }
}
