package io.penstock.server.policy;

import java.util.function.Consumer;

/** Where shards are, as the nodes of a cluster have agreed (R16, R23). Thread-safe. */
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

  /** Tells where shards are that were ever to be moved, and then each change of that, in order. */
  public void follow(Consumer<Placement> listener) {
    reader.ask(rows -> rows.placements().all()).forEach(listener);
    replica.onPlacement(listener);
  }
}
