package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.LocalNode;

/** A piece of a shard that moves, for the owner of the group that it moves to (R23). Immutable. */
record Bring(Cargo cargo) implements Question.Task<Cargo.Landing> {
  @Override
  public void work(LocalNode owner, Asker<Cargo.Landing> done) {
    owner.removals().take(cargo, done);
  }

  @Override
  public Form<Cargo.Landing> form() {
    return Form.LANDING;
  }
}
