package io.penstock.server.cluster;

import io.penstock.cluster.Group;
import io.penstock.server.node.Signature;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a group stands, as one node sees it. Immutable.
 *
 * @param leader the node that leads; null if that is not known
 * @param term grows with each leader: the epoch of what it owns
 * @param appliedIndex up to which that node has applied the log
 * @param replicas the nodes of the group, by name
 */
public record Standing(
    String group, @Nullable String leader, long term, long appliedIndex, List<String> replicas) {
  public Standing {
    replicas = List.copyOf(replicas);
  }

  static Standing of(Group group) {
    long term = group.term();
    String leader = group.leader();
    /* The leader of one term is never told with the number of another. */
    while (group.term() != term) {
      term = group.term();
      leader = group.leader();
    }
    return new Standing(group.name(), leader, term, group.appliedIndex(), group.replicas());
  }

  /** Of a shard that a move has brought here: its epoch is above all that it had elsewhere (R3). */
  Standing inGeneration(long generation) {
    return new Standing(group, leader, Signature.epoch(generation, term), appliedIndex, replicas);
  }

  /** What the node that sees this is in the group. */
  public Role role(String node) {
    return leader == null ? Role.CANDIDATE : leader.equals(node) ? Role.LEADER : Role.FOLLOWER;
  }

  /** What a node is in a group. */
  public enum Role {
    LEADER,
    FOLLOWER,
    /** It knows no leader. */
    CANDIDATE
  }

  void write(Packing out) {
    out.text(group).textOrNone(leader).wide(term).wide(appliedIndex).list(replicas, Standing::text);
  }

  private static void text(String text, Packing out) {
    out.text(text);
  }

  static Standing read(Unpacking in) {
    return new Standing(
        in.text("group"),
        in.textOrNone("leader"),
        in.wide("term"),
        in.wide("appliedIndex"),
        in.list("replicas", from -> from.text("replica")));
  }
}
