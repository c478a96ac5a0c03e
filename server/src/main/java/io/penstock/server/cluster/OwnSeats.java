package io.penstock.server.cluster;

import io.penstock.cluster.Raft;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The seats of this node in its groups, to be given away. Thread-safe. */
final class OwnSeats implements Drain.Seats, Balance.Seats {
  private final Supplier<Raft> raft;
  private final Supplier<NodeState> own;
  private final Supplier<CompletionStage<List<NodeState>>> states;

  /**
   * The seats of a node.
   *
   * @param own how it is
   * @param states how all are
   */
  OwnSeats(
      Supplier<Raft> raft,
      Supplier<NodeState> own,
      Supplier<CompletionStage<List<NodeState>>> states) {
    this.raft = raft;
    this.own = own;
    this.states = states;
  }

  @Override
  public List<String> led() {
    return own().leads();
  }

  @Override
  public CompletionStage<Set<String>> heirs() {
    return nodes().thenApply(all -> Drain.heirs(own().node(), all, raft.get()::isOnTime));
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
    return states.get();
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
