package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.shard.Shard;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The parts of checks whose other parts are decided elsewhere. Each has an id, chosen by whoever
 * asks, by which it can be taken back; that is kept with the decision, so that whoever owns next
 * can do it too (R21). Thread-safe.
 */
final class Stakes {
  /** How long a part can be taken back, and how late it may come after it was. */
  static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Object[] inTurn = new Object[64];
  private final Object[] requestsInTurn = new Object[64];
  private final Shard shard;
  private final Keys keys;
  private final Clock clock;
  private final Decider decider;
  private final Reservations reservations;
  private final Answering answering;
  private final Estate estate;

  Stakes(Shard shard, Keys keys, Reservations reservations, Answering answering, Estate estate) {
    this.shard = shard;
    this.keys = keys;
    this.clock = shard.clock();
    this.decider = reservations.decider();
    this.reservations = reservations;
    this.answering = answering;
    this.estate = estate;
    Arrays.setAll(inTurn, i -> new Object());
    Arrays.setAll(requestsInTurn, i -> new Object());
  }

  /** What was decided, and when. */
  private record Decided(Answer answer, long generation, long nowNanos) {}

  /** Decides a part, once if the check has an id; one that was taken back before is refused. */
  void take(CheckRequest part, HoldingId id, Asker<Answer> done) {
    String requestId = part.requestId();
    Decided decided;
    synchronized (turn(inTurn, id.hash())) {
      if (requestId == null) {
        decided = decided(part, id, /* request= */ null);
      } else {
        Keys.Twin request = keys.ofStake(part, requestId).with(id.hash());
        synchronized (turn(requestsInTurn, request.hash())) {
          decided = decided(part, id, request);
        }
      }
    }
    answering.deliver(part, decided.answer, decided.generation, decided.nowNanos, done);
  }

  private static Object turn(Object[] locks, long hash) {
    return locks[(int) hash & (locks.length - 1)];
  }

  private Decided decided(CheckRequest part, HoldingId id, Keys.@Nullable Twin request) {
    long generation = shard.enter();
    try {
      estate.require(id.hash());
      long nowNanos = clock.nanos();
      Stake before = find(id);
      if (before != null && before.taken() == null) {
        throw new UnavailableException("part: taken back (expected: one that still counts)");
      }
      if (reservations.isCrowded(nowNanos)) {
        throw new UnavailableException("reservations: too many (expected: room for one more)");
      }
      byte[] known = request == null ? null : shard.ids().get(request.hash(), request.check());
      Answer first = known == null ? null : answering.repeated(HeldCodec.answer(known), part);
      Answer answer =
          request == null || known == null || first == null
              ? decide(part, id, request, nowNanos)
              : repeat(first, HoldingId.parse(HeldCodec.id(known)), id, request);
      return new Decided(answer, generation, nowNanos);
    } finally {
      shard.leave(generation);
    }
  }

  private Answer decide(
      CheckRequest part, HoldingId id, Keys.@Nullable Twin request, long nowNanos) {
    boolean takes = part.asked().stream().anyMatch(asked -> asked.cost() != 0);
    Decider.Verdict verdict =
        decider.decide(part, nowNanos, answering.isKept(), takes ? Taking.OF_PARTS : Decider.PLAIN);
    Answer answer = answering.answer(part, verdict, nowNanos);
    if (verdict.hasConsumed()) {
      long end = nowNanos + KEPT_NANOS;
      Holding taken = reservations.holding(part, verdict, end, /* leaseNanos= */ 0);
      put(id, new Stake(Taking.fitting(taken), request), end);
      if (request != null) {
        remember(request, new Held(answer, id.toString()), nowNanos);
      }
    }
    return answer;
  }

  /** Whoever is answered last may take it back, and nobody else (R22). */
  private Answer repeat(Answer first, @Nullable HoldingId last, HoldingId id, Keys.Twin request) {
    Stake stake = last == null || last.equals(id) ? null : find(last);
    Holding taken = stake == null ? null : stake.taken();
    if (last != null && stake != null && taken != null) {
      put(id, stake, taken.endNanos());
      put(last, Stake.GONE, taken.endNanos());
      remember(request, new Held(first, id.toString()), clock.nanos());
    }
    return first;
  }

  /**
   * Gives back what is left of a part. If it has not come yet, it is refused when it does.
   *
   * @param keys those of the part
   */
  void takeBack(HoldingId id, CheckRequest keys) {
    synchronized (turn(inTurn, id.hash())) {
      Stake stake = find(id);
      Keys.Twin request = stake == null ? null : stake.request();
      if (request == null) {
        end(id, stake, keys);
      } else {
        synchronized (turn(requestsInTurn, request.hash())) {
          /* Another attempt may have been answered with it meanwhile. */
          end(id, find(id), keys);
        }
      }
    }
  }

  private void end(HoldingId id, @Nullable Stake stake, CheckRequest keys) {
    long generation = shard.enter();
    try {
      estate.require(id.hash());
      long nowNanos = clock.nanos();
      Holding taken = stake == null ? null : stake.taken();
      Keys.Twin request = stake == null ? null : stake.request();
      if (taken != null) {
        Holding named = taken.named(key -> Taking.named(key, keys, decider::counted));
        reservations.settle(named, /* realCost= */ 0, nowNanos);
      }
      if (request != null) {
        shard.ids().forget(request.hash(), request.check(), nowNanos);
      }
      put(id, Stake.GONE, nowNanos + KEPT_NANOS);
    } finally {
      shard.leave(generation);
    }
  }

  private @Nullable Stake find(HoldingId id) {
    byte[] note = shard.notes().get(id.hash(), id.check());
    return note == null ? null : Stake.read(note);
  }

  private void put(HoldingId id, Stake stake, long untilNanos) {
    shard.notes().put(id.hash(), id.check(), stake.write(), untilNanos);
  }

  private void remember(Keys.Twin request, Held held, long nowNanos) {
    shard.ids().put(request.hash(), request.check(), HeldCodec.write(held), nowNanos);
  }
}
