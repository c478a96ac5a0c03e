package io.penstock.core;

import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.States;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Plays the turns of single keys, each under the plan that is in force for it, and again if that
 * changes meanwhile. Thread-safe.
 */
final class Player {
  /* One per thread: a decision needs room to work in and must not allocate it. */
  private static final ThreadLocal<Together> TURNS = ThreadLocal.withInitial(Together::new);

  private final Plans plans;
  private final States states;
  private final LongAdder refused = new LongAdder();

  Player(Plans plans, States states) {
    this.plans = plans;
    this.states = states;
  }

  /**
   * This thread's turns, empty: whoever takes them must be done with them before calling others.
   */
  static Together turns() {
    return TURNS.get().clear();
  }

  /** Takes from one key, or gives back, and counts it if nobody could; answers its plan. */
  Plan play(long hash, long nowNanos, long cost, Together turns) {
    long now = nowNanos;
    Plan current = addTurns(hash, now, cost, turns);
    while (!turns.isPlayed()) {
      now = again(turns, now);
      current = addTurns(hash, now, cost, turns);
    }
    if (turns.isFull()) {
      refused.increment();
    }
    return current;
  }

  private Plan addTurns(long hash, long nowNanos, long cost, Together turns) {
    Plan current = plans.of(hash, nowNanos);
    for (int i = 0; i < current.size(); i++) {
      addTurn(current, i, hash, nowNanos, turns).asks(cost);
    }
    return current;
  }

  /** Whether a check that was played is let through. */
  static boolean passes(Plan current, Together turns) {
    return turns.isFull() ? current.failsOpen() : turns.allowed();
  }

  /** Asks something else of one key; who asks must be done before the turns are used again. */
  Together play(long hash, long nowNanos, Consumer<Turn> asks) {
    Together turns = turns();
    long now = nowNanos;
    askAll(hash, now, turns, asks);
    while (!turns.isPlayed()) {
      now = again(turns, now);
      askAll(hash, now, turns, asks);
    }
    return turns;
  }

  private void askAll(long hash, long nowNanos, Together turns, Consumer<Turn> asks) {
    addTurns(hash, nowNanos, /* cost= */ 0, turns);
    for (int i = 0; i < turns.size(); i++) {
      asks.accept(turns.turn(i));
    }
  }

  /** Makes ready to ask a key once more, because its policy has changed; says for which instant. */
  private static long again(Together turns, long nowNanos) {
    long now = nowNanos;
    for (int i = 0; i < turns.size(); i++) {
      now = turns.turn(i).passOutdated(now);
    }
    turns.again();
    return now;
  }

  /** Adds the turn of one limit of a plan, which asks nothing yet. */
  Turn addTurn(Plan current, int index, long hash, long nowNanos, Together turns) {
    Rule rule = current.rule(index);
    return turns
        .add(states)
        .of(KeyHash.slot(hash, rule.slot()), rule, nowNanos)
        .failsOpen(current.failsOpen());
  }

  void countRefused() {
    refused.increment();
  }

  /** How many checks were answered by the fail mode. */
  long refused() {
    return refused.sum();
  }
}
