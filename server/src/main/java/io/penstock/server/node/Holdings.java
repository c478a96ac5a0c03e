package io.penstock.server.node;

import io.penstock.shard.Shard;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reservations and leases by their ids: taken once, settled once, however often asked. */
final class Holdings {
  /** How long it is remembered that something was settled, so that asking again is safe. */
  private static final long REMEMBERED_NANOS = Duration.ofMinutes(10).toNanos();

  private static final int ID_BYTES = 2 * Long.BYTES;

  private final SecureRandom random = new SecureRandom();
  private final Object[] inTurn = new Object[64];
  private final Shard shard;
  private final Decider decider;
  private final Reservations reservations;
  private final Answering answering;

  Holdings(Shard shard, Decider decider, Reservations reservations, Answering answering) {
    this.shard = shard;
    this.decider = decider;
    this.reservations = reservations;
    this.answering = answering;
    for (int i = 0; i < inTurn.length; i++) {
      inTurn[i] = new Object();
    }
  }

  void take(
      CheckRequest request, long ttlNanos, long leaseNanos, long nowNanos, Consumer<Held> done) {
    long generation = shard.enter();
    Answer answer;
    String id = null;
    try {
      Decider.Asking asking = Reservations.leasing(leaseNanos);
      Decider.Verdict verdict = decider.decide(request, nowNanos, shard.isDurable(), asking);
      answer = answering.answer(verdict);
      if (verdict.allowed()) {
        Holding holding = reservations.holding(request, verdict, nowNanos + ttlNanos, leaseNanos);
        id = keep(holding);
      }
    } finally {
      shard.leave(generation);
    }
    String given = id;
    answering.deliver(
        answer, generation, told -> done.accept(new Held(told, told.allowed() ? given : null)));
  }

  private String keep(Holding holding) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    ByteBuffer words = ByteBuffer.wrap(bytes);
    shard.notes().put(words.getLong(), words.getLong(), holding.write(), remembered(holding));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static long remembered(Holding holding) {
    return holding.endNanos() + REMEMBERED_NANOS;
  }

  void settle(String id, long realCost, long nowNanos, Consumer<Settled> done) {
    change(
        id,
        done,
        holding -> {
          if (holding.settled()) {
            return Turnout.DONE;
          }
          if (holding.endNanos() <= nowNanos) {
            return Turnout.OVER;
          }
          reservations.settle(holding, realCost, nowNanos);
          return new Turnout(Settled.DONE, holding.settledUntil(nowNanos));
        });
  }

  void renew(String id, long nowNanos, Consumer<Settled> done) {
    change(
        id,
        done,
        holding ->
            holding.settled() || !reservations.renew(holding, nowNanos)
                ? Turnout.OVER
                : new Turnout(Settled.DONE, holding.renewedUntil(nowNanos + holding.leaseNanos())));
  }

  /** What became of a request, and of what is held: null if that stays as it is. */
  private record Turnout(Settled settled, @Nullable Holding next) {
    static final Turnout DONE = new Turnout(Settled.DONE, null);
    static final Turnout OVER = new Turnout(Settled.OVER, null);
    static final Turnout UNKNOWN = new Turnout(Settled.UNKNOWN, null);
  }

  private void change(String id, Consumer<Settled> done, Function<Holding, Turnout> changing) {
    ByteBuffer words = words(id);
    if (words == null) {
      done.accept(Settled.UNKNOWN);
      return;
    }
    long hash = words.getLong();
    long check = words.getLong();
    Turnout outcome;
    long generation;
    synchronized (inTurn[(int) hash & (inTurn.length - 1)]) {
      generation = shard.enter();
      try {
        byte[] known = shard.notes().get(hash, check);
        outcome = known == null ? Turnout.UNKNOWN : changing.apply(Holding.read(known));
        Holding next = outcome.next();
        if (next != null) {
          shard.notes().put(hash, check, next.write(), remembered(next));
        }
      } finally {
        shard.leave(generation);
      }
    }
    shard.whenDurable(generation, kept -> done.accept(outcome.settled()));
  }

  private static @Nullable ByteBuffer words(String id) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(id);
      return bytes.length == ID_BYTES ? ByteBuffer.wrap(bytes) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
