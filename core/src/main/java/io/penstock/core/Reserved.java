package io.penstock.core;

import io.penstock.core.state.Claim;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A reservation of a limiter in memory. Thread-safe. */
final class Reserved implements Reservation {
  /** What was asked for, and how many overrides and resets there had been. */
  record Taken(long hash, long cost, long afterOverrides, long afterResets) {}

  private final MemoryLimiter limiter;
  private final long hash;
  private final long cost;
  private final Decision decision;
  private final Rule[] rules;
  private final long[] tickets;
  private final long afterOverrides;
  private final long afterResets;
  private final AtomicBoolean settled;

  /** Takes note of what the turns of a decision just made have taken. */
  Reserved(MemoryLimiter limiter, Taken request, Decision decision, Together turns) {
    this.limiter = limiter;
    this.hash = request.hash;
    this.cost = request.cost;
    this.afterOverrides = request.afterOverrides;
    this.afterResets = request.afterResets;
    this.decision = decision;
    this.rules = new Rule[decision.allowed() ? counted(turns) : 0];
    this.tickets = new long[rules.length];
    int count = 0;
    for (int i = 0; count < rules.length; i++) {
      if (!turns.turn(i).isFull()) {
        rules[count] = turns.turn(i).rule();
        tickets[count++] = turns.turn(i).step().ticket();
      }
    }
    this.settled = new AtomicBoolean(count == 0);
  }

  /** How many turns have kept what they took: where one fails open, the others still count. */
  private static int counted(Together turns) {
    int counted = 0;
    for (int i = 0; i < turns.size(); i++) {
      counted += turns.turn(i).isFull() ? 0 : 1;
    }
    return counted;
  }

  @Override
  public Decision decision() {
    return decision;
  }

  @Override
  public void commit(long realCost) {
    Checks.atLeast("cost", realCost, 0);
    if (!decision.allowed()) {
      throw Denied.refused(decision);
    }
    boolean differs = realCost != cost || holdsSlot();
    if (settled.compareAndSet(false, true) && differs) {
      limiter.commit(this, realCost);
    }
  }

  @Override
  public void cancel() {
    if (settled.compareAndSet(false, true)) {
      limiter.settle(this, Ask.GIVE_BACK);
    }
  }

  @Override
  public boolean renew() {
    return !settled.get() && limiter.settle(this, Ask.RENEW);
  }

  long hash() {
    return hash;
  }

  long cost() {
    return cost;
  }

  private boolean holdsSlot() {
    for (Rule rule : rules) {
      if (rule.algorithm() == Algorithm.CONCURRENCY) {
        return true;
      }
    }
    return false;
  }

  /** Asks a turn of this key for what it did not keep, or only to look if nothing of it is left. */
  void asks(Turn turn, Ask ask, long kept, Plans plans) {
    Claim claim = claim(turn.rule(), kept, turn.nowNanos(), plans.history());
    if (claim != null && claim.units() > 0) {
      turn.asks(ask, claim.units(), claim.ticket());
    } else {
      turn.asks(Ask.TAKE, /* cost= */ 0, /* ticket= */ 0);
    }
  }

  /** What is left, under a rule, of what was taken and is not kept; null if nothing is known. */
  private @Nullable Claim claim(Rule rule, long kept, long nowNanos, KeyHistory history) {
    int index = indexOf(rule);
    if (index < 0) {
      return null;
    }
    if (!history.knows(hash, afterOverrides, afterResets)) {
      return heldOf(index, rule, kept, history);
    }
    Claim claim = new Claim(rules[index], tickets[index], cost, kept);
    history.follow(claim, rules[index], hash, afterOverrides);
    claim.followTo(rule, nowNanos);
    return claim;
  }

  /*
   * A lease is told by its name, under whatever limit, so it is given back also when so much has
   * happened to other keys that nobody knows what happened to this one. If that was a reset, the
   * name finds nothing: a later lease has it only if it was taken in the same microsecond.
   */
  private @Nullable Claim heldOf(int index, Rule rule, long kept, KeyHistory history) {
    boolean held =
        rules[index].algorithm() == Algorithm.CONCURRENCY
            && rule.algorithm() == Algorithm.CONCURRENCY
            && !history.knowsBetter(hash, afterOverrides, afterResets);
    return held ? new Claim(rule, tickets[index], cost, kept) : null;
  }

  private int indexOf(Rule rule) {
    for (int i = 0; i < rules.length; i++) {
      if (rules[i].slot() == rule.slot()) {
        return i;
      }
    }
    return -1;
  }
}
