package io.penstock.server.node;

import io.penstock.core.state.Together;
import io.penstock.shard.Shard;
import java.util.function.Consumer;

/** Makes answers out of verdicts, and lets each leave when it may. Thread-safe. */
final class Answering {
  private final String name;
  private final Shard shard;

  Answering(String name, Shard shard) {
    this.name = name;
    this.shard = shard;
  }

  String name() {
    return name;
  }

  Answer answer(Decider.Verdict verdict) {
    long wait = 0;
    Together turns = verdict.turns();
    for (int i = 0; i < turns.size() && verdict.allowed(); i++) {
      wait = Math.max(wait, turns.turn(i).step().waitNanos());
    }
    return new Answer(
        verdict.allowed(),
        Decider.deciding(verdict.parts()),
        verdict.parts(),
        wait,
        durability(verdict),
        name,
        /* duplicate= */ false);
  }

  private Durability durability(Decider.Verdict verdict) {
    if (!verdict.isLogged()) {
      return Durability.NONE;
    }
    if (!shard.isDurable()) {
      return Durability.MEMORY;
    }
    return verdict.isStrict() ? Durability.STRICT : Durability.FAST;
  }

  /** Hands an answer over: at once, or when what it took is on disk. */
  void deliver(Answer answer, long generation, long nowNanos, Consumer<Answer> done) {
    if (answer.durability() == Durability.STRICT) {
      shard.whenDurable(generation, kept -> done.accept(kept ? answer : answer.unkept()));
    } else if (answer.durability() == Durability.FAST && !shard.keepsUp(nowNanos)) {
      done.accept(answer.unkept());
    } else {
      done.accept(answer);
    }
  }

  /** Says when a change that is no check is on disk, or that the disk is away. */
  void durable(long generation, Consumer<Durability> done) {
    shard.whenDurable(
        generation, kept -> done.accept(kept ? Durability.STRICT : Durability.MEMORY));
  }
}
