package io.penstock.core;

import io.penstock.core.algorithm.Wide;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.States;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Plays the turns of single keys, each under the plan that is in force for it, and again if that
 * changes meanwhile. Thread-safe.
 */
final class Player {
  /*
   * One per thread: a decision needs room to work in and must not allocate it. A store may ask
   * limiters of its own in the middle of a decision, and then works in others.
   */
  private static final ThreadLocal<Together> TURNS = ThreadLocal.withInitial(Together::new);

  private static final int TURNSTILES = 64;

  private final Plans plans;
  private final States states;
  private final LongAdder refused = new LongAdder();
  private final ReentrantLock[] turnstiles = new ReentrantLock[TURNSTILES];

  Player(Plans plans, States states) {
    this.plans = plans;
    this.states = states;
    Arrays.setAll(turnstiles, i -> new ReentrantLock());
  }

  /**
   * This thread's turns, empty: whoever takes them must be done with them before calling others.
   */
  static Together turns() {
    Together turns = TURNS.get();
    return turns.isPlaying() ? turns.another() : turns.clear();
  }

  /** Other turns, for whoever is not done with this thread's. */
  static Together moreTurns() {
    return TURNS.get().another();
  }

  /** Takes from one key, or gives back, and counts it if nobody could; answers its plan. */
  Plan play(long hash, long nowNanos, long cost, Together turns) {
    long now = nowNanos;
    Plan current = addTurns(hash, now, cost, turns);
    while (!turns.isPlayed()) {
      now = again(turns, now);
      current = addTurns(hash, now, cost, turns);
    }
    if (turns.isUnknown()) {
      refused.increment();
    }
    return current;
  }

  /**
   * How long a key has no room for a cost, 0 if nobody knows; whoever asks must be done with this
   * thread's turns.
   */
  long waitNanos(long hash, long nowNanos, long cost) {
    Together looks = turns().onlyLooks(true);
    Plan plan = play(hash, nowNanos, Math.max(0, cost), looks);
    Step step = looks.turn(Answers.deciding(plan, looks, /* from= */ 0)).step();
    return looks.isUnknown() ? 0 : Answers.waitNanos(step);
  }

  /**
   * How long the rates of a key have no room for a cost, whatever is held and also if it is
   * blocked; {@link Decision#NEVER} if it fits no limit.
   */
  long ratesWaitNanos(long hash, long nowNanos, long cost) {
    Together looks = turns().onlyLooks(true);
    play(hash, nowNanos, cost, looks);
    long wait = 0;
    for (int i = 0; i < looks.size(); i++) {
      wait = Math.max(wait, ratesWaitNanos(looks.turn(i)));
    }
    long end = plans.overrideEnd(hash, nowNanos);
    return end == Long.MAX_VALUE || wait < end - nowNanos
        ? wait
        : Wide.add(end - nowNanos, ratesWaitNanos(hash, end, cost));
  }

  private static long ratesWaitNanos(Turn turn) {
    Step step = turn.step();
    if (turn.isFull() || step.allowed()) {
      return 0;
    }
    long rate = turn.rule().limit().isConcurrent() ? 0 : step.retryAfterNanos();
    return step.never() ? Decision.NEVER : rate;
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
    return turns.isUnknown() ? current.failsOpen() : turns.allowed();
  }

  /*
   * What is asked depends on what happened to the key before: a reset, and what others take after
   * it, must not come between, or a cancel would give back theirs. Checks do not pass here. A store
   * may be asked meanwhile, and wait: a monitor would pin virtual threads.
   */
  /** Asks something else of one key; who asks must be done before the turns are used again. */
  Together play(long hash, long nowNanos, Consumer<Turn> asks) {
    Together turns = turns();
    ReentrantLock turnstile = turnstiles[(int) hash & (TURNSTILES - 1)];
    turnstile.lock();
    try {
      long now = nowNanos;
      askAll(hash, now, turns, asks);
      while (!turns.isPlayed()) {
        now = again(turns, now);
        askAll(hash, now, turns, asks);
      }
    } finally {
      turnstile.unlock();
    }
    return turns;
  }

  private void askAll(long hash, long nowNanos, Together turns, Consumer<Turn> asks) {
    addTurns(hash, nowNanos, /* cost= */ 0, turns);
    for (int i = 0; i < turns.size(); i++) {
      /* No check: a limit that finds no memory must not keep the others from theirs. */
      asks.accept(turns.turn(i).failsOpen(true));
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
