package io.penstock.core;

import io.penstock.core.state.Rule;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import java.util.concurrent.atomic.AtomicBoolean;

/** A reservation of a limiter in memory. Thread-safe. */
final class Reserved implements Reservation {
  private final MemoryLimiter limiter;
  private final long hash;
  private final long cost;
  private final Decision decision;
  private final Rule[] rules;
  private final long[] tickets;
  private final AtomicBoolean settled;

  /** Takes note of what the turns of a decision just made have taken. */
  Reserved(MemoryLimiter limiter, long hash, long cost, Decision decision, Together turns) {
    this.limiter = limiter;
    this.hash = hash;
    this.cost = cost;
    this.decision = decision;
    boolean taken = decision.reason() == Reason.OK;
    this.rules = new Rule[taken ? turns.size() : 0];
    this.tickets = new long[rules.length];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = turns.turn(i).rule();
      tickets[i] = turns.turn(i).step().ticket();
    }
    this.settled = new AtomicBoolean(!taken);
  }

  @Override
  public Decision decision() {
    return decision;
  }

  @Override
  public void commit(long realCost) {
    Checks.atLeast("cost", realCost, 0);
    if (!decision.allowed()) {
      throw new IllegalStateException(
          "commit of a reservation that was denied: " + decision.reason());
    }
    boolean differs = realCost != cost || holdsSlot();
    if (settled.compareAndSet(false, true) && differs) {
      limiter.commit(this, realCost);
    }
  }

  @Override
  public void cancel() {
    if (settled.compareAndSet(false, true)) {
      limiter.settle(this, Ask.GIVE_BACK, cost);
    }
  }

  @Override
  public boolean renew() {
    return !settled.get() && limiter.settle(this, Ask.RENEW, 0);
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

  /** Asks a turn of this key to settle, or only to look where the ticket means nothing any more. */
  void asks(Turn turn, Ask ask, long units) {
    Rule rule = turn.rule();
    boolean known = ask == Ask.CHARGE || knows(rule);
    turn.asks(known ? ask : Ask.TAKE, known ? units : 0, ticket(rule));
  }

  /*
   * Whether a ticket still means something under a rule: under the rule that issued it, and under
   * one that keeps the very entries it names. Under any other, units were converted since, and
   * giving back the old ones could give back what others have used.
   */
  private boolean knows(Rule rule) {
    int index = indexOf(rule);
    if (index < 0) {
      return false;
    }
    boolean byEntry =
        rule.algorithm() == Algorithm.CONCURRENCY
            || rule.algorithm() == Algorithm.SLIDING_WINDOW_LOG;
    return rules[index] == rule || (byEntry && rules[index].algorithm() == rule.algorithm());
  }

  private long ticket(Rule rule) {
    int index = indexOf(rule);
    return index < 0 ? 0 : tickets[index];
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
