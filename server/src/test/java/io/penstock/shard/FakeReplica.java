package io.penstock.shard;

import io.penstock.core.Clock;
import io.penstock.core.state.Rules;

/** What all nodes keep of what their owners decide, as if each entry arrived at once. */
public final class FakeReplica {
  private final Contents contents;

  public FakeReplica(Rules rules, Clock clock) {
    this(rules, ShardOptions.of(/* folder= */ null, clock, 16 << 20));
  }

  public FakeReplica(Rules rules, ShardOptions options) {
    this.contents = Shard.contents(rules, options, /* isTracked= */ true);
  }

  /** A shard of it, for the next owner. */
  public Shard with(ShardLog log) {
    return new Shard(contents, log, /* lock= */ null);
  }
}
