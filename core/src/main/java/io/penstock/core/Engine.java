package io.penstock.core;

import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.ShortWay;
import io.penstock.core.state.StateTable;
import io.penstock.core.state.States;
import io.penstock.core.state.StoreStates;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A policy and the states of its keys: decides by hash, at an instant it is told. Thread-safe.
 *
 * <p>It reads no clock and knows no key's name; {@link MemoryLimiter} is its shell.
 */
final class Engine {
  /* One per thread: a decision needs room to work in and must not allocate it. */
  private static final ThreadLocal<Together> TURNS = ThreadLocal.withInitial(Together::new);

  private final States states;
  private final @Nullable StateTable table;
  private final @Nullable ShortWay shortWay;
  private final Plans plans;
  private final LongAdder refused = new LongAdder();

  Engine(Policy policy, @Nullable Store store, long maxBytes, long nowNanos) {
    Rules rules = new Rules();
    if (store == null) {
      StateTable flat = StateTable.of(rules, maxBytes);
      table = flat;
      shortWay = flat.shortWay();
      states = flat;
    } else {
      table = null;
      shortWay = null;
      states = new StoreStates(rules, store);
    }
    checkFits(policy);
    plans = new Plans(policy, rules, states, nowNanos);
  }

  /**
   * This thread's turns, empty: whoever takes them must be done with them before calling others.
   */
  static Together turns() {
    return TURNS.get().clear();
  }

  /** Whether one key has room for a unit, and takes it: without a {@link Decision}. */
  boolean fitsOne(long hash, Clock clock) {
    Rule rule = plans.quickRule(plans.general(), hash);
    if (rule != null && shortWay != null) {
      long taken = shortWay.takeOne(KeyHash.slot(hash, rule.slot()), rule, clock);
      if (taken != ShortWay.UNUSUAL) {
        return taken >= 0;
      }
    }
    return fitsOne(hash, clock.nanos());
  }

  private boolean fitsOne(long hash, long nowNanos) {
    Together turns = turns();
    return plans.blockedNanos(hash, nowNanos) == 0
        && passes(play(hash, nowNanos, /* cost= */ 1, turns), turns);
  }

  Decision decide(long hash, long nowNanos, long cost) {
    Plan current = plans.general();
    long taken = take(plans.quickRule(current, hash), hash, nowNanos, cost);
    return taken != ShortWay.UNUSUAL
        ? Answers.taken(current, nowNanos, cost, taken)
        : decide(hash, nowNanos, cost, turns());
  }

  private long take(@Nullable Rule rule, long hash, long nowNanos, long cost) {
    if (rule == null || shortWay == null || nowNanos < rule.sinceNanos()) {
      return ShortWay.UNUSUAL;
    }
    return cost > 0 && cost <= rule.capacity()
        ? shortWay.take(KeyHash.slot(hash, rule.slot()), rule, nowNanos, cost)
        : ShortWay.UNUSUAL;
  }

  private Decision decide(long hash, long nowNanos, long cost, Together turns) {
    long blockedNanos = plans.blockedNanos(hash, nowNanos);
    turns.onlyLooks(blockedNanos > 0);
    Plan current = play(hash, nowNanos, cost, turns);
    Decision decision = Answers.of(current, turns, /* from= */ 0);
    return blockedNanos > 0 ? Answers.blocked(decision, blockedNanos) : decision;
  }

  Reserved reserve(long hash, long nowNanos, long cost, MemoryLimiter limiter) {
    Together turns = turns();
    Decision decision = decide(hash, nowNanos, cost, turns);
    return new Reserved(limiter, hash, Math.max(0, cost), decision, turns);
  }

  /** Decides every key of a batch; each line of memory is on its way before the first is needed. */
  void decide(Batch batch, long nowNanos) {
    if (table != null) {
      batch.touched(table.touch(batch.hashes(), batch.size()));
    }
    Plan current = plans.general();
    for (int i = 0; i < batch.size(); i++) {
      long hash = batch.hashes()[i];
      long taken = take(plans.quickRule(current, hash), hash, nowNanos, batch.cost(i));
      if (taken != ShortWay.UNUSUAL) {
        batch.taken(i, taken);
      } else {
        decideWithTurns(batch, i, nowNanos);
      }
    }
    batch.decidedBy(current.rule(0).limit(), nowNanos);
  }

  private void decideWithTurns(Batch batch, int index, long nowNanos) {
    long hash = batch.hashes()[index];
    long cost = batch.cost(index);
    Together turns = turns();
    long blocked = plans.blockedNanos(hash, nowNanos);
    turns.onlyLooks(blocked > 0);
    Plan current = play(hash, nowNanos, cost, turns);
    boolean fits = blocked == 0 && passes(current, turns);
    Step step = turns.turn(Answers.deciding(current, turns, /* from= */ 0)).step();
    boolean unknown = turns.isFull();
    long wait = step.never() ? Decision.NEVER : Math.max(blocked, step.retryAfterNanos());
    long left = unknown || blocked > 0 ? 0 : step.remaining();
    batch.answer(index, fits, left, fits || unknown ? 0 : wait);
  }

  /** Takes from one key, or gives back, and counts it if memory was full; answers its plan. */
  private Plan play(long hash, long nowNanos, long cost, Together turns) {
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
  private static boolean passes(Plan current, Together turns) {
    return turns.isFull() ? current.failsOpen() : turns.allowed();
  }

  /** Asks something else of one key; who asks must be done before the turns are used again. */
  private Together play(long hash, long nowNanos, Consumer<Turn> asks) {
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

  /** Settles every rate of a reservation for its real cost; what it holds is over and freed. */
  void commit(Reserved reserved, long realCost, long nowNanos) {
    long more = realCost - reserved.cost();
    play(
        reserved.hash(),
        nowNanos,
        turn -> {
          boolean held = turn.rule().algorithm() == Algorithm.CONCURRENCY;
          if (held || more < 0) {
            reserved.asks(turn, Ask.GIVE_BACK, /* kept= */ held ? 0 : realCost, plans);
          } else {
            turn.asks(Ask.CHARGE, more, /* ticket= */ 0);
          }
        });
  }

  /** Gives a reservation back, or renews its leases; true if one was renewed. */
  boolean settle(Reserved reserved, Ask ask, long nowNanos) {
    Together turns =
        play(reserved.hash(), nowNanos, turn -> reserved.asks(turn, ask, /* kept= */ 0, plans));
    boolean renewed = false;
    for (int i = 0; i < turns.size(); i++) {
      renewed |= turns.turn(i).renewed();
    }
    return renewed;
  }

  void reset(long hash, long nowNanos) {
    play(hash, nowNanos, turn -> turn.asks(Ask.RESET, 0, 0));
  }

  void block(long hash, long untilNanos, long nowNanos) {
    plans.block(hash, untilNanos, nowNanos);
  }

  void override(long hash, Policy policy, long untilNanos, long nowNanos) {
    checkFits(policy);
    plans.override(hash, policy, untilNanos, nowNanos);
    /* Converts what the key has used now: its old rule would let it be forgotten too early. */
    play(hash, nowNanos, /* cost= */ 0, turns());
  }

  void update(Policy policy, long nowNanos) {
    checkFits(policy);
    plans.update(policy, nowNanos);
  }

  /** A log that can never fit is refused here rather than failing one check at a time. */
  private void checkFits(Policy policy) {
    for (Limit limit : policy.limits()) {
      boolean log = policy.algorithmOf(limit) == Algorithm.SLIDING_WINDOW_LOG;
      if (log && table != null && !table.hasRoomForLog(limit.count())) {
        long needs = table.bytesForLog(limit.count());
        throw Checks.bad(
            "limit", limit, "a log within " + states.bytesMax() + " bytes, this needs " + needs);
      }
    }
  }

  void countRefused() {
    refused.increment();
  }

  Plans plans() {
    return plans;
  }

  MemoryLimiter.Usage usage() {
    return new MemoryLimiter.Usage(states.bytes(), states.bytesMax(), refused.sum());
  }
}
