package io.penstock.server.policy;

import java.util.function.Consumer;

/**
 * Where shards are, and which groups there are for them, as the nodes of a cluster have agreed
 * (R16, R19, R23). Thread-safe.
 */
public final class Moves {
  private final Replica replica;
  private final StoreReader reader;

  Moves(Replica replica, StoreReader reader) {
    this.replica = replica;
    this.reader = reader;
  }

  /**
   * Has a step carried out on all nodes; returns when it is on this one.
   *
   * @throws VersionConflictException if it does not follow what was carried out before
   * @throws StoreUnavailableException if nobody knows whether it is, or will be
   */
  public void propose(MoveStep step) {
    var unused = replica.propose(new LogEntry.Move(step));
  }

  /**
   * Has a group come into being on all nodes, or be full; returns when that is so on this one.
   * Throws as the other does.
   */
  public void propose(LateGroup group) {
    var unused = replica.propose(new LogEntry.Grow(group));
  }

  /** Tells which groups came into being after the cluster, and then each change, in order. */
  public void followGroups(Consumer<LateGroup> listener) {
    reader.ask(rows -> rows.lateGroups().all()).forEach(listener);
    replica.onLateGroup(listener);
  }

  /** Tells where shards are that were ever to be moved, and then each change of that, in order. */
  public void follow(Consumer<Placement> listener) {
    reader.ask(rows -> rows.placements().all()).forEach(listener);
    replica.onPlacement(listener);
  }
}
