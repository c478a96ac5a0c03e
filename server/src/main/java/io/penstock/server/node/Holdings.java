package io.penstock.server.node;

import io.penstock.core.Clock;
import io.penstock.shard.Shard;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reservations and leases by their ids: taken once, settled once, however often asked. */
final class Holdings {
  /** How long it is known that something was over, and not settled: as long as it lasted. */
  private static final long OVER_NANOS_MIN = Duration.ofMinutes(1).toNanos();

  private static final long OVER_NANOS_MAX = Duration.ofMinutes(10).toNanos();

  /** How long a lease lasts where neither the request nor a limit says so. */
  private static final long LEASE_NANOS = Duration.ofMinutes(1).toNanos();

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
   * @param ttlNanos how long a reservation waits to be settled; 0 for a lease
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
    boolean isLease = ttlNanos == 0;
    Keys.Twin named =
        isLease ? keys.ofLease(request, requestId) : keys.ofReservation(request, requestId);
    Keys.Twin id = named.with(decider.counted(request));
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
      giveBack(id, clock.nanos(), NOBODY);
    } catch (MisroutedException e) {
      return;
    }
  }

  private void deliver(Taken taken, Asker<Held> done) {
    answering.deliver(
        taken.request,
        taken.held.answer(),
        taken.generation,
        taken.nowNanos,
        Asker.of(
            told -> done.accept(new Held(told, told.allowed() ? taken.held.id() : null)),
            done::fail));
  }

  /** What is held, and when it was taken. */
  private record Taken(
      CheckRequest request, Held held, boolean isStrict, long generation, long nowNanos) {}

  private Taken taken(
      CheckRequest request, Keys.@Nullable Twin id, long ttlNanos, long leaseNanos) {
    long generation = shard.enter();
    long nowNanos = clock.nanos();
    try {
      if (id != null) {
        estate.require(id.hash());
      }
      byte[] known = id == null ? null : shard.ids().get(id.hash(), id.check());
      Answer first = known == null ? null : answering.repeated(HeldCodec.answer(known), request);
      if (known != null && first != null) {
        Held again = new Held(first, HeldCodec.id(known));
        return new Taken(request, again, /* isStrict= */ false, generation, nowNanos);
      }
      if (reservations.isCrowded(nowNanos)) {
        Decider.Verdict undecided = decider.undecided(request, nowNanos);
        Answer answer = answering.answer(request, undecided, nowNanos);
        return new Taken(
            request, new Held(answer, null), /* isStrict= */ false, generation, nowNanos);
      }
      Taking taking = Taking.named(leaseNanos);
      Decider.Verdict verdict = decider.decide(request, nowNanos, answering.isKept(), taking);
      Answer answer = answering.answer(request, verdict, nowNanos);
      if (!verdict.allowed()) {
        return new Taken(request, new Held(answer, null), verdict.isStrict(), generation, nowNanos);
      }
      long lease = leaseNanos == 0 && ttlNanos == 0 ? leaseOfLimits(verdict) : leaseNanos;
      long end = nowNanos + (ttlNanos == 0 ? lease : ttlNanos);
      Held held =
          new Held(answer, keep(request, reservations.holding(request, verdict, end, lease)));
      if (id != null && verdict.hasConsumed()) {
        shard.ids().put(id.hash(), id.check(), HeldCodec.write(held), nowNanos);
      }
      return new Taken(request, held, verdict.isStrict(), generation, nowNanos);
    } finally {
      shard.leave(generation);
    }
  }

  /** How long the slots that were taken are held; one that holds none is a lease all the same. */
  private static long leaseOfLimits(Decider.Verdict verdict) {
    long longest = Reservations.lease(verdict);
    return longest == 0 ? LEASE_NANOS : longest;
  }

  private String keep(CheckRequest request, Holding holding) {
    HoldingId id = HoldingId.of(decider.counted(request));
    shard.notes().put(id.hash(), id.check(), holding.write(), remembered(holding));
    return id.toString();
  }

  /* Those that are over never take more room than those that are not, beyond a minute's. */
  private static long remembered(Holding holding) {
    long lasted = holding.endNanos() - holding.takenNanos();
    return holding.endNanos() + Math.max(OVER_NANOS_MIN, Math.min(lasted, OVER_NANOS_MAX));
  }

  /** Settles a reservation for its real cost; 0 gives everything back. */
  void settle(String id, long realCost, long nowNanos, Asker<Settled> done) {
    Function<Holding, Turnout> settling = holding -> settled(holding, realCost, nowNanos);
    change(id, new Act(Sort.RESERVATION, Settled.DONE, settling), nowNanos, done);
  }

  private Turnout settled(Holding holding, long realCost, long nowNanos) {
    reservations.settle(holding, realCost, nowNanos);
    return Turnout.ENDED;
  }

  /** Gives everything back, of a lease too. */
  void giveBack(String id, long nowNanos, Asker<Settled> done) {
    Function<Holding, Turnout> giving = holding -> settled(holding, /* realCost= */ 0, nowNanos);
    change(id, new Act(Sort.ANY, Settled.DONE, giving), nowNanos, done);
  }

  /** Gives the slots of a lease back, and nothing else. */
  void release(String id, long nowNanos, Asker<Settled> done) {
    Function<Holding, Turnout> releasing =
        holding -> {
          reservations.release(holding, nowNanos);
          return Turnout.ENDED;
        };
    change(id, new Act(Sort.LEASE, Settled.DONE, releasing), nowNanos, done);
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
    Function<Holding, Turnout> renewing =
        holding ->
            holding.hasSlots() && !reservations.renew(holding, nowNanos)
                ? Turnout.OVER
                : Turnout.next(holding.renewedUntil(nowNanos + holding.leaseNanos()));
    change(id, new Act(Sort.LEASE, Settled.OVER, renewing), nowNanos, done);
  }

  /** What an act is for: nobody knows the id of another sort. */
  private enum Sort {
    RESERVATION,
    LEASE,
    ANY;

    boolean has(boolean isLease) {
      return this == ANY || isLease == (this == LEASE);
    }
  }

  /**
   * Something that is done to what is held.
   *
   * @param again what is told of something that was settled before
   */
  private record Act(Sort sort, Settled again, Function<Holding, Turnout> changing) {}

  /**
   * What became of something that is held.
   *
   * @param next as it is held from now on; null if it stays as it is, or has ended
   */
  private record Turnout(Settled told, boolean hasEnded, @Nullable Holding next) {
    static final Turnout OVER = new Turnout(Settled.OVER, /* hasEnded= */ false, null);
    static final Turnout ENDED = new Turnout(Settled.DONE, /* hasEnded= */ true, null);

    static Turnout next(Holding next) {
      return new Turnout(Settled.DONE, /* hasEnded= */ false, next);
    }
  }

  /** What is told, and whether a strict policy wants it kept first. */
  private record Told(Settled settled, boolean strict) {
    static final Told UNKNOWN = new Told(Settled.UNKNOWN, /* strict= */ false);
  }

  private void change(String id, Act act, long nowNanos, Asker<Settled> done) {
    HoldingId known = HoldingId.parse(id);
    if (known == null) {
      done.accept(Settled.UNKNOWN);
      return;
    }
    Told told;
    long generation;
    synchronized (inTurn[(int) known.hash() & (inTurn.length - 1)]) {
      generation = shard.enter();
      try {
        estate.require(known.hash());
        byte[] note = shard.notes().get(known.hash(), known.check());
        told =
            note == null ? marked(known, act) : changed(known, Holding.read(note), act, nowNanos);
      } finally {
        shard.leave(generation);
      }
    }
    answering.settled(told.settled, told.strict, generation, done);
  }

  private Told marked(HoldingId id, Act act) {
    int found = shard.marks().get(id.hash(), id.check());
    Mark mark = found < 0 ? null : Mark.read(found);
    return mark == null || !act.sort.has(mark.lease())
        ? Told.UNKNOWN
        : new Told(act.again, mark.strict());
  }

  private Told changed(HoldingId id, Holding holding, Act act, long nowNanos) {
    if (!act.sort.has(holding.isLease())) {
      return Told.UNKNOWN;
    }
    boolean strict = reservations.isStrict(holding, nowNanos);
    if (holding.settled()) {
      return new Told(act.again, strict);
    }
    /* Where nothing is counted too: what is over is over, whatever applies to its keys. */
    boolean over = holding.endNanos() <= nowNanos;
    Turnout turnout = over ? Turnout.OVER : act.changing.apply(holding);
    Holding next = turnout.next;
    if (turnout.hasEnded) {
      shard.notes().remove(id.hash(), id.check());
      Mark mark = new Mark(holding.isLease(), strict);
      shard.marks().put(id.hash(), id.check(), mark.write(), nowNanos);
    } else if (next != null) {
      shard.notes().put(id.hash(), id.check(), next.write(), remembered(next));
    }
    return new Told(turnout.told, strict);
  }
}
