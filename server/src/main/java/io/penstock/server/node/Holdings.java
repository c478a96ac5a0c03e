package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.shard.Shard;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reservations and leases by their ids: taken once, settled once, however often asked. */
final class Holdings {
  /** How long it is remembered that something was settled, so that asking again is safe. */
  private static final long REMEMBERED_NANOS = Duration.ofMinutes(10).toNanos();

  private static final Asker<Settled> NOBODY = Asker.of(settled -> {}, failure -> {});

  private final Object[] inTurn = new Object[64];
  private final Shard shard;
  private final Keys keys;
  private final Clock clock;
  private final Decider decider;
  private final Reservations reservations;
  private final Answering answering;
  private final Estate estate;

  Holdings(Shard shard, Keys keys, Reservations reservations, Answering answering, Estate estate) {
    this.shard = shard;
    this.keys = keys;
    this.clock = shard.clock();
    this.decider = reservations.decider();
    this.reservations = reservations;
    this.answering = answering;
    this.estate = estate;
    for (int i = 0; i < inTurn.length; i++) {
      inTurn[i] = new Object();
    }
  }

  /**
   * Takes what a request asks for, to be settled or released later; once, if it has an id.
   *
   * @param leaseNanos how long slots are held; 0 for as long as their limit says
   * @return gives it back; null if nothing was taken, it is not strict, or it has an id, by which
   *     whoever asked can still get the answer (R20)
   */
  @Nullable Runnable take(CheckRequest request, long ttlNanos, long leaseNanos, Asker<Held> done) {
    String requestId = request.requestId();
    if (requestId == null) {
      Taken taken = taken(request, /* id= */ null, ttlNanos, leaseNanos);
      deliver(taken, done);
      String held = taken.isStrict ? taken.held.id() : null;
      return held == null ? null : () -> undo(held);
    }
    Keys.Twin id = keys.ofHolding(request, requestId).with(decider.counted(request));
    Taken taken;
    synchronized (inTurn[(int) id.hash() & (inTurn.length - 1)]) {
      taken = taken(request, id, ttlNanos, leaseNanos);
    }
    deliver(taken, done);
    return null;
  }

  /** Of what has moved away meanwhile, nobody knows here: it is held until its time is over. */
  private void undo(String id) {
    try {
      settle(id, /* realCost= */ 0, clock.nanos(), NOBODY);
    } catch (MisroutedException e) {
      return;
    }
  }

  private void deliver(Taken taken, Asker<Held> done) {
    answering.deliver(
        taken.held.answer(),
        taken.generation,
        taken.nowNanos,
        Asker.of(
            told -> done.accept(new Held(told, told.allowed() ? taken.held.id() : null)),
            done::fail));
  }

  /** What is held, and when it was taken. */
  private record Taken(Held held, boolean isStrict, long generation, long nowNanos) {}

  private Taken taken(
      CheckRequest request, Keys.@Nullable Twin id, long ttlNanos, long leaseNanos) {
    long generation = shard.enter();
    long nowNanos = clock.nanos();
    try {
      if (id != null) {
        estate.require(id.hash());
      }
      byte[] known = id == null ? null : shard.ids().get(id.hash(), id.check());
      if (known != null) {
        return new Taken(repeated(known, request), /* isStrict= */ false, generation, nowNanos);
      }
      if (shard.notes().isCrowded()) {
        Decider.Verdict undecided = decider.undecided(request, nowNanos);
        Answer answer = answering.answer(request, undecided, nowNanos);
        return new Taken(new Held(answer, null), /* isStrict= */ false, generation, nowNanos);
      }
      Decider.Asking asking = Reservations.leasing(leaseNanos);
      Decider.Verdict verdict = decider.decide(request, nowNanos, answering.isKept(), asking);
      Answer answer = answering.answer(request, verdict, nowNanos);
      if (!verdict.allowed()) {
        return new Taken(new Held(answer, null), verdict.isStrict(), generation, nowNanos);
      }
      long lease = leaseNanos == 0 && ttlNanos == 0 ? Reservations.lease(verdict) : leaseNanos;
      long end = nowNanos + (ttlNanos == 0 ? lease : ttlNanos);
      Held held =
          new Held(answer, keep(request, reservations.holding(request, verdict, end, lease)));
      if (id != null && verdict.hasConsumed()) {
        shard.ids().put(id.hash(), id.check(), HeldCodec.write(held), nowNanos);
      }
      return new Taken(held, verdict.isStrict(), generation, nowNanos);
    } finally {
      shard.leave(generation);
    }
  }

  private Held repeated(byte[] known, CheckRequest request) {
    return new Held(answering.repeated(HeldCodec.answer(known), request), HeldCodec.id(known));
  }

  private String keep(CheckRequest request, Holding holding) {
    HoldingId id = HoldingId.of(decider.counted(request));
    shard.notes().put(id.hash(), id.check(), holding.write(), remembered(holding));
    return id.toString();
  }

  private static long remembered(Holding holding) {
    return holding.endNanos() + REMEMBERED_NANOS;
  }

  /** Settles for a real cost; 0 gives everything back. */
  void settle(String id, long realCost, long nowNanos, Asker<Settled> done) {
    change(
        id,
        done,
        nowNanos,
        holding -> {
          if (holding.keys().isEmpty()) {
            return Turnout.DONE;
          }
          return ended(holding, nowNanos, () -> reservations.settle(holding, realCost, nowNanos));
        });
  }

  /** Gives slots back, and nothing else. */
  void release(String id, long nowNanos, Asker<Settled> done) {
    change(
        id,
        done,
        nowNanos,
        holding ->
            holding.hasSlots()
                ? ended(holding, nowNanos, () -> reservations.release(holding, nowNanos))
                : Turnout.DONE);
  }

  private static Turnout ended(Holding holding, long nowNanos, Runnable ending) {
    if (holding.settled()) {
      return Turnout.DONE;
    }
    if (holding.endNanos() <= nowNanos) {
      return Turnout.OVER;
    }
    ending.run();
    return new Turnout(Settled.DONE, holding.settledUntil(nowNanos));
  }

  /** What a check took that is nothing to be settled; nobody keeps it but the one who asked. */
  Holding taken(CheckRequest request, Decider.Verdict verdict) {
    return reservations.holding(request, verdict, /* endNanos= */ 0, /* leaseNanos= */ 0);
  }

  /** Gives everything back that is left of it. */
  void undo(Holding taken) {
    long generation = shard.enter();
    try {
      reservations.settle(taken, /* realCost= */ 0, clock.nanos());
    } finally {
      shard.leave(generation);
    }
  }

  void renew(String id, long nowNanos, Asker<Settled> done) {
    change(
        id,
        done,
        nowNanos,
        holding ->
            holding.settled() || (holding.hasSlots() && !reservations.renew(holding, nowNanos))
                ? Turnout.OVER
                : new Turnout(Settled.DONE, holding.renewedUntil(nowNanos + holding.leaseNanos())));
  }

  /** What became of a request, and of what is held: null if that stays as it is. */
  private record Turnout(Settled settled, @Nullable Holding next) {
    static final Turnout DONE = new Turnout(Settled.DONE, null);
    static final Turnout OVER = new Turnout(Settled.OVER, null);
    static final Turnout UNKNOWN = new Turnout(Settled.UNKNOWN, null);
  }

  private void change(
      String id, Asker<Settled> done, long nowNanos, Function<Holding, Turnout> changing) {
    HoldingId known = HoldingId.parse(id);
    if (known == null) {
      done.accept(Settled.UNKNOWN);
      return;
    }
    long hash = known.hash();
    long check = known.check();
    Turnout outcome;
    boolean strict = false;
    long generation;
    synchronized (inTurn[(int) hash & (inTurn.length - 1)]) {
      generation = shard.enter();
      try {
        estate.require(hash);
        byte[] note = shard.notes().get(hash, check);
        Holding holding = note == null ? null : Holding.read(note);
        outcome = holding == null ? Turnout.UNKNOWN : changing.apply(holding);
        strict = holding != null && reservations.isStrict(holding, nowNanos);
        Holding next = outcome.next();
        if (next != null) {
          shard.notes().put(hash, check, next.write(), remembered(next));
        }
      } finally {
        shard.leave(generation);
      }
    }
    answering.settled(outcome.settled(), strict, generation, done);
  }
}
