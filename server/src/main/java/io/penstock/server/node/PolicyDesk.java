package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Scope;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Turn;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.RecentChecks;
import io.penstock.server.policy.Written;
import io.penstock.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where policies come into force. Thread-safe. */
public final class PolicyDesk {
  private final Shard shard;
  private final PolicyBook book;
  private final Keys keys;
  private final Clock clock;
  private final RecentChecks recent = new RecentChecks(RecentChecks.DEFAULT);

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

  /** Takes over all documents as they were stored, tiers first, before anything is decided. */
  public void load(Consumer<Consumer<Change>> stored) {
    book.load(stored);
  }

  /** Puts a change in force for every check that begins after this returns. */
  public void apply(Change change) {
    long generation = shard.enter();
    try {
      book.apply(change, clock.nanos(), this::move);
    } finally {
      shard.leave(generation);
    }
    /* Not between enter and leave: it takes longer than a decision, and each step stands alone. */
    shard.table().sweep(clock.nanos());
  }

  /** The number of the newest change in force. */
  public long revision() {
    return book.revision();
  }

  /** Remembers a check, to try proposed policies on. */
  void remember(CheckRequest request, Decider.Verdict verdict, long nowNanos) {
    for (int i = 0; i < verdict.parts().size(); i++) {
      Asked asked = request.asked().get(i);
      String scope = verdict.parts().get(i).policy();
      recent.add(nowNanos, request.domain(), asked.descriptor(), asked.cost(), scope);
    }
  }

  /** What a proposed policy would have done to the checks of late. */
  public DryRun.Forecast tryOut(String scope, String document) {
    return DryRun.of(Scope.parse(scope), book.terms(document), recent);
  }

  /**
   * Carries out a write of a document that is not deleted. What keys have used beyond the new
   * capacity is cut, or else the writer is warned of it.
   */
  public Written write(Kind kind, String name, boolean forgives, Supplier<Written> put) {
    long before = capacity(kind, name);
    Written written = put.get();
    if (forgives) {
      forgive(kind, name);
      return written;
    }
    long now = capacity(kind, name);
    if (before == Long.MAX_VALUE || now >= before) {
      return written;
    }
    List<String> warnings = new ArrayList<>(written.warnings());
    warnings.add(
        "keys that have used more than "
            + now
            + " wait until it has drained; forgive=true cuts what they owe");
    return new Written(written.version(), warnings);
  }

  /** How much fits at once at a scope, over all its limits; without end if nobody can tell. */
  private long capacity(Kind kind, String name) {
    long least = Long.MAX_VALUE;
    try {
      Grant grant = kind == Kind.TIER ? null : book.grant(Scope.parse(name));
      for (Limit limit : grant == null ? List.<Limit>of() : grant.limits()) {
        least = Math.min(least, limit.capacity());
      }
    } catch (IllegalArgumentException noScope) {
      // The store says what is wrong with it.
      return Long.MAX_VALUE;
    }
    return least;
  }

  /** Cuts what keys owe beyond the capacity of a document. */
  public void forgive(Kind kind, String name) {
    long generation = shard.enter();
    try {
      book.forgive(kind, name, clock.nanos());
    } finally {
      shard.leave(generation);
    }
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
