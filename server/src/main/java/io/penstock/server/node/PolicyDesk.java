package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Turn;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.shard.Shard;
import org.jspecify.annotations.Nullable;

/** Where policies come into force. Thread-safe. */
public final class PolicyDesk {
  private final Shard shard;
  private final PolicyBook book;
  private final Keys keys;
  private final Clock clock;

  PolicyDesk(Shard shard, PolicyBook book, Keys keys, Clock clock) {
    this.shard = shard;
    this.book = book;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Which counters a document would read if it were put now; to be stored with it, so that it reads
   * them again after a restart. Empty for nearly every document.
   */
  public String counters(Kind kind, String name, String document) {
    return book.counters(kind, name, document).toString();
  }

  /** Takes over a document as it was stored; tiers first. */
  public void load(Change change) {
    book.load(change);
  }

  /** Puts a change in force for every check that begins after this returns. */
  public void apply(Change change) {
    long generation = shard.enter();
    try {
      book.apply(change, clock.nanos(), this::move);
      shard.table().sweep(clock.nanos());
    } finally {
      shard.leave(generation);
    }
  }

  /** The number of the newest change in force. */
  public long revision() {
    return book.revision();
  }

  /** Brings what one key has used from one grant to another, now. */
  private void move(String domain, Descriptor key, @Nullable Grant from, @Nullable Grant to) {
    if (to == null || from == null) {
      return;
    }
    long hash = keys.of(domain, key);
    Turn turn = new Turn();
    for (int i = 0; i < to.size(); i++) {
      Rule before = from.withCounter(to.counter(i));
      turn.of(KeyHash.slot(hash, to.counter(i)), to.rule(i), clock.nanos())
          .after(before)
          .asks(/* signedCost= */ 0);
      shard.table().play(turn);
    }
  }
}
