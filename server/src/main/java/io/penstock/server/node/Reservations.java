package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.state.Claim;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What was taken and may be given back: reservations and leases. Stateless; what they hold is kept
 * as notes of the shard.
 */
final class Reservations {
  /** The longest that a reservation may wait for its real cost. */
  static final long TTL_NANOS_MAX = Duration.ofDays(1).toNanos();

  private final Decider decider;
  private final LongPredicate crowded;

  /**
   * Reservations of what somebody decides.
   *
   * @param crowded whether no more may be held at an instant
   */
  Reservations(Decider decider, LongPredicate crowded) {
    this.decider = decider;
    this.crowded = crowded;
  }

  /** Whether there is no room to hold anything more. */
  boolean isCrowded(long nowNanos) {
    return crowded.test(nowNanos);
  }

  /** How long something is to be held; throws if that is too short or too long. */
  static long nanos(String name, long millis) {
    long max = TTL_NANOS_MAX / 1_000_000;
    if (millis < 1 || millis > max) {
      throw new IllegalArgumentException(name + ": " + millis + " (expected: 1.." + max + ")");
    }
    return Duration.ofMillis(millis).toNanos();
  }

  static void lease(Turn turn, long leaseNanos) {
    Limit limit = turn.rule().limit();
    if (limit.isConcurrent() && leaseNanos > 0) {
      turn.by(Limit.concurrent(limit.count(), Duration.ofNanos(leaseNanos)));
    }
  }

  Decider decider() {
    return decider;
  }

  /** How long the slots that a verdict took are held by their limits. */
  static long lease(Decider.Verdict verdict) {
    long longest = 0;
    for (Subject subject : verdict.subjects()) {
      for (int i = 0; i < subject.size(); i++) {
        Limit limit = subject.turn(i).rule().limit();
        longest = Math.max(longest, limit.isConcurrent() ? limit.periodNanos() : 0);
      }
    }
    return longest;
  }

  /** What a verdict has taken, to be settled before an instant. */
  Holding holding(CheckRequest request, Decider.Verdict verdict, long endNanos, long leaseNanos) {
    List<Holding.Key> keys = new ArrayList<>();
    long takenNanos = 0;
    for (Subject subject : verdict.subjects()) {
      List<Holding.Claimed> claims = new ArrayList<>();
      for (int i = 0; i < subject.size(); i++) {
        Turn turn = subject.turn(i);
        takenNanos = turn.nowNanos();
        if (!turn.isFull() && subject.hasTaken()) {
          claims.add(claimed(subject, i, turn));
        }
      }
      if (!claims.isEmpty()) {
        keys.add(
            new Holding.Key(
                subject.asked().descriptor(),
                subject.hash(),
                subject.special().resetAt(),
                subject.asked().cost(),
                claims));
      }
    }
    return new Holding(
        /* settled= */ false, takenNanos, endNanos, leaseNanos, request.domain(), keys);
  }

  private static Holding.Claimed claimed(Subject subject, int index, Turn turn) {
    Rule rule = turn.rule();
    return new Holding.Claimed(
        subject.counter(index), rule.limit(), rule.algorithm(), turn.step().ticket());
  }

  /** Settles for a real cost; 0 gives everything back. */
  Decider.Verdict settle(Holding holding, long realCost, long nowNanos) {
    return each(
        holding,
        nowNanos,
        (key, claimed, turn, special) -> {
          boolean held = claimed.isSlot();
          long more = realCost - key.cost();
          if (!held && more >= 0) {
            turn.asks(Ask.CHARGE, more, /* ticket= */ 0);
          } else if (special.resetAt() <= key.afterReset()) {
            long kept = held ? 0 : realCost;
            giveBack(trail(holding, key, claimed, kept), turn, special.latest());
          }
        });
  }

  /** Gives slots back; what was counted by other limits was used, and stays. */
  void release(Holding holding, long nowNanos) {
    Decider.Verdict unused =
        each(
            holding,
            nowNanos,
            (key, claimed, turn, special) -> {
              if (claimed.isSlot() && special.resetAt() <= key.afterReset()) {
                giveBack(trail(holding, key, claimed, /* kept= */ 0), turn, special.latest());
              }
            });
  }

  private static Trail trail(Holding holding, Holding.Key key, Holding.Claimed claimed, long kept) {
    return new Trail(claimed, holding.takenNanos(), key.cost(), kept);
  }

  /** Whether what is held belongs to a policy that is strict by now. */
  boolean isStrict(Holding holding, long nowNanos) {
    boolean strict = false;
    for (Holding.Key key : holding.keys()) {
      strict |= decider.isStrict(holding.domain(), key.descriptor(), nowNanos);
    }
    return strict;
  }

  private static void giveBack(Trail trail, Turn turn, @Nullable KeyOverride past) {
    Claim left = trail.to(turn.rule(), turn.nowNanos(), past);
    if (left != null && left.units() > 0) {
      turn.asks(Ask.GIVE_BACK, left.units(), left.ticket());
    }
  }

  /** Starts the leases anew; false if they have ended. */
  boolean renew(Holding holding, long nowNanos) {
    Together turns =
        each(
                holding,
                nowNanos,
                (key, claim, turn, special) -> {
                  lease(turn, holding.leaseNanos());
                  turn.asks(Ask.RENEW, key.cost(), claim.ticket());
                })
            .turns();
    boolean renewed = false;
    for (int i = 0; i < turns.size(); i++) {
      renewed |= turns.turn(i).renewed();
    }
    return renewed;
  }

  private interface Settling {
    void ask(Holding.Key key, Holding.Claimed claimed, Turn turn, Special special);
  }

  /** Asks every counter that still has something of what is held. */
  private Decider.Verdict each(Holding holding, long nowNanos, Settling settling) {
    List<Asked> keys = holding.keys().stream().map(Reservations::look).toList();
    return decider.settle(
        holding.domain(),
        keys,
        nowNanos,
        (index, subject) -> {
          Holding.Key key = holding.keys().get(index);
          if (key.hash() == subject.hash()) {
            ask(key, subject, settling);
          }
        });
  }

  /** A look at what is held of a key: of the counter of a limit that came with it, if one did. */
  private static Asked look(Holding.Key key) {
    Limit given = null;
    for (Holding.Claimed claim : key.claims()) {
      given = claim.counter() == Counters.ofGiven(claim.limit()) ? claim.limit() : given;
    }
    return new Asked(key.descriptor(), /* cost= */ 0, given);
  }

  private static void ask(Holding.Key key, Subject subject, Settling settling) {
    for (int i = 0; i < subject.size(); i++) {
      Holding.Claimed claim = claim(key, subject.counter(i));
      if (claim != null) {
        settling.ask(key, claim, subject.turn(i), subject.special());
      }
    }
  }

  private static Holding.@Nullable Claimed claim(Holding.Key key, int counter) {
    for (Holding.Claimed claim : key.claims()) {
      if (claim.counter() == counter) {
        return claim;
      }
    }
    return null;
  }
}
