package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Together;
import io.penstock.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes answers out of verdicts, and lets each leave when it may. Thread-safe. */
final class Answering {
  private final Signature signature;
  private final Shard shard;
  private final Decider decider;
  private final PolicyDesk policies;

  Answering(Signature signature, Shard shard, Decider decider, PolicyDesk policies) {
    this.signature = signature;
    this.shard = shard;
    this.decider = decider;
    this.policies = policies;
  }

  /**
   * Whether what is decided now is kept, or else its answer will not leave: a log that is
   * replicated tells each answer by itself (R4).
   */
  boolean isKept() {
    return shard.isDurable() || shard.isReplicated();
  }

  /** The answer to a check that was decided now, which is remembered. */
  Answer answer(CheckRequest request, Decider.Verdict verdict, long nowNanos) {
    policies.remember(request, verdict, nowNanos);
    long wait = 0;
    Together turns = verdict.turns();
    for (int i = 0; i < turns.size() && verdict.allowed(); i++) {
      wait = Math.max(wait, turns.turn(i).step().waitNanos());
    }
    int deciding = Decider.deciding(verdict.parts());
    return new Answer(
        verdict.allowed(),
        deciding,
        verdict.parts(),
        wait,
        durability(verdict),
        signature.of(verdict.subjects().get(deciding).hash()),
        /* duplicate= */ false);
  }

  private Durability durability(Decider.Verdict verdict) {
    if (!verdict.isLogged()) {
      return Durability.NONE;
    }
    if (!isKept()) {
      return Durability.MEMORY;
    }
    return verdict.isStrict() ? Durability.STRICT : Durability.FAST;
  }

  /** The answer that an id was given first; null if it cannot be the answer to this request. */
  @Nullable Answer repeated(byte[] known, CheckRequest request) {
    Answer first = AnswerCodec.read(known, /* decidedBy= */ "");
    int size = request.asked().size();
    if (first.parts().size() != size || first.deciding() >= size) {
      return null;
    }
    Descriptor deciding = request.asked().get(first.deciding()).descriptor();
    return first.decidedBy(signature.of(() -> decider.counted(request.domain(), deciding)));
  }

  /** Hands the answer to a request over: at once, or when what it took is kept. */
  void deliver(
      CheckRequest request, Answer answer, long generation, long nowNanos, Asker<Answer> done) {
    boolean fast = answer.durability() == Durability.FAST;
    if (answer.durability() != Durability.STRICT && (!fast || shard.keepsUp(nowNanos))) {
      done.accept(answer);
    } else if (shard.isReplicated()) {
      whenKept(answer, generation, done);
    } else if (fast) {
      done.accept(answer.unkept());
    } else {
      shard.whenDurable(
          generation, kept -> done.accept(kept ? answer : unkept(request, answer, nowNanos)));
    }
  }

  /** As if it had been known that the disk is away: what fails closed lets nobody pass (R10). */
  private Answer unkept(CheckRequest request, Answer answer, long nowNanos) {
    List<Part> parts = new ArrayList<>(answer.parts());
    List<Subject> subjects = decider.subjects(request, nowNanos);
    for (int i = 0; i < parts.size() && answer.allowed(); i++) {
      Subject subject = subjects.get(i);
      if (subject.mustBeKept()) {
        parts.set(i, subject.failed());
      }
    }
    return answer.unkept(parts);
  }

  /** Says when a change that is no check is kept, or that the disk is away. */
  void durable(long generation, Asker<Durability> done) {
    if (shard.isReplicated()) {
      whenKept(Durability.STRICT, generation, done);
    } else {
      shard.whenDurable(
          generation, kept -> done.accept(kept ? Durability.STRICT : Durability.MEMORY));
    }
  }

  /**
   * Says what became of something that is settled already: of a strict policy not before that is
   * kept, of others whether the disk is away or not.
   */
  void settled(Settled settled, boolean strict, long generation, Asker<Settled> done) {
    if (shard.isReplicated() || strict) {
      whenKept(settled, generation, done);
    } else {
      shard.whenDurable(generation, kept -> done.accept(settled));
    }
  }

  /**
   * Hands over what the log must keep first. If it cannot, or its ownership ends before, nobody
   * knows whether it was kept, and nothing is told (R4).
   */
  <T> void whenKept(T answer, long generation, Asker<T> done) {
    shard.whenDurable(
        generation,
        kept -> {
          if (kept) {
            done.accept(answer);
          } else {
            done.fail(UnavailableException.unkept());
          }
        });
  }
}
