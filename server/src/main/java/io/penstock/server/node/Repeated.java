package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.shard.Shard;
import java.util.Objects;

/**
 * Checks with a request id: the first that consumes is decided, its repetitions get its answer
 * (R22). Thread-safe.
 */
final class Repeated {
  /** Repetitions of one id wait for each other; others seldom do. */
  private static final int LOCKS = 1 << 8;

  private static final Object[] IN_TURN = new Object[LOCKS];

  static {
    for (int i = 0; i < LOCKS; i++) {
      IN_TURN[i] = new Object();
    }
  }

  private final Shard shard;
  private final Keys keys;
  private final Decider decider;
  private final Answering answering;
  private final Estate estate;

  Repeated(Shard shard, Keys keys, Decider decider, Answering answering, Estate estate) {
    this.shard = shard;
    this.keys = keys;
    this.decider = decider;
    this.answering = answering;
    this.estate = estate;
  }

  /** Decides a check, or repeats its answer. */
  void check(CheckRequest request, Clock clock, Asker<Answer> done) {
    String requestId = Objects.requireNonNull(request.requestId());
    Keys.Twin id = keys.ofRequest(request, requestId).with(decider.counted(request));
    Answer answer;
    long generation;
    long nowNanos;
    synchronized (IN_TURN[(int) id.hash() & (LOCKS - 1)]) {
      generation = shard.enter();
      nowNanos = clock.nanos();
      try {
        estate.require(id.hash());
        byte[] known = shard.ids().get(id.hash(), id.check());
        Answer first = known == null ? null : answering.repeated(known, request);
        if (first != null) {
          answer = first;
        } else {
          Decider.Verdict verdict = decider.decide(request, nowNanos, answering.isKept());
          answer = answering.answer(request, verdict, nowNanos);
          if (verdict.hasConsumed()) {
            byte[] remembered = AnswerCodec.writeRemembered(answer);
            shard.ids().put(id.hash(), id.check(), remembered, nowNanos);
          }
        }
      } finally {
        shard.leave(generation);
      }
    }
    answering.deliver(request, answer, generation, nowNanos, done);
  }
}
