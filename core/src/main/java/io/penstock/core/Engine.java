package io.penstock.core;

import io.penstock.core.algorithm.Wide;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.ShortWay;
import io.penstock.core.state.StateTable;
import io.penstock.core.state.States;
import io.penstock.core.state.StoreStates;
import io.penstock.core.state.Takes;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn.Ask;
import org.jspecify.annotations.Nullable;

/**
 * A policy and the states of its keys: decides by hash, at an instant it is told. Thread-safe.
 *
 * <p>It reads no clock and knows no key's name; {@link MemoryLimiter} is its shell.
 */
final class Engine {
  private final States states;
  private final @Nullable StateTable table;
  private final @Nullable ShortWay shortWay;
  private final Plans plans;
  private final Player player;
  private final Waiters waiters = new Waiters();

  Engine(Policy policy, @Nullable Store store, long maxBytes, long nowNanos) {
    Rules rules = store == null ? Rules.unlisted() : new Rules();
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
    player = new Player(plans, states);
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
    Together turns = Player.turns();
    return plans.blockedNanos(hash, nowNanos) == 0
        && Player.passes(player.play(hash, nowNanos, /* cost= */ 1, turns), turns);
  }

  Decision decide(long hash, long nowNanos, long cost) {
    Plan current = plans.general();
    long taken = take(plans.quickRule(current, hash), hash, nowNanos, cost);
    if (taken != ShortWay.UNUSUAL) {
      return Answers.taken(current, nowNanos, cost, taken);
    }
    Decision decision = decide(hash, nowNanos, cost, Player.turns());
    wakeIfGivenBack(hash, cost);
    return decision;
  }

  /** What a check would be told; takes nothing. */
  Decision look(long hash, long nowNanos, long cost) {
    return decide(hash, nowNanos, cost, Player.turns().onlyLooks(true));
  }

  /** Wakes who waits for a key, if a check gives back; only when its turns are done with. */
  void wakeIfGivenBack(long hash, long cost) {
    if (cost < 0) {
      waiters.wake(hash);
    }
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
    if (blockedNanos > 0) {
      return blocked(hash, nowNanos, cost, turns.onlyLooks(true));
    }
    Plan current = player.play(hash, nowNanos, cost, turns);
    return past(Answers.of(current, turns, /* from= */ 0), hash, nowNanos, cost);
  }

  /** The answer to a blocked key: what its limits say when the block ends, and nothing is taken. */
  Decision blocked(long hash, long nowNanos, long cost, Together looks) {
    long end = plans.blockEnd(hash, nowNanos);
    Plan plan = player.play(hash, end, Math.max(0, cost), looks);
    Decision then = past(Answers.of(plan, looks, /* from= */ 0), hash, end, cost);
    return Answers.blocked(then, plans.blockedNanos(hash, nowNanos));
  }

  /** A decision whose times are right beyond the end of the plan that a key has of its own. */
  Decision past(Decision decision, long hash, long nowNanos, long cost) {
    long end = plans.overrideEnd(hash, nowNanos);
    long told = Math.max(decision.retryAfterNanos(), decision.resetAfterNanos());
    if (end == Long.MAX_VALUE || told < end - nowNanos) {
      return decision;
    }
    Together later = Player.moreTurns().onlyLooks(true);
    long units = decision.allowed() ? 0 : Math.max(0, cost);
    Plan general = player.play(hash, end, units, later);
    Decision then = Answers.of(general, later, /* from= */ 0);
    return Answers.continued(decision, then, end - nowNanos);
  }

  Reserved reserve(long hash, long nowNanos, long cost, MemoryLimiter limiter) {
    Together turns = Player.turns();
    long resets = plans.history().resetCount();
    boolean blocked = plans.blockedNanos(hash, nowNanos) > 0;
    Plan plan = blocked ? plans.general() : player.play(hash, nowNanos, cost, turns);
    Decision decision =
        blocked
            ? blocked(hash, nowNanos, cost, turns.onlyLooks(true))
            : past(Answers.of(plan, turns, /* from= */ 0), hash, nowNanos, cost);
    Reserved.Taken taken = new Reserved.Taken(hash, Math.max(0, cost), plan.overrides(), resets);
    Reserved reserved = new Reserved(limiter, taken, decision, turns);
    wakeIfGivenBack(hash, cost);
    return reserved;
  }

  /** Decides every key of a batch; each line of memory is on its way before the first is needed. */
  void decide(Batch batch, long nowNanos) {
    Takes takes = batch.takes();
    takes.at(nowNanos);
    if (table != null) {
      table.touch(takes);
    }
    Plan current = plans.general();
    batch.decidedBy(current.rule(0).limit());
    int index = 0;
    while (index < takes.size()) {
      index = takeAll(takes, index, current);
      if (index < takes.size()) {
        decideWithTurns(batch, index++, nowNanos);
      }
    }
  }

  /** Goes the short way from an index on; answers the index of the first that cannot go it. */
  private int takeAll(Takes takes, int from, Plan current) {
    Rule rule = plans.quickRule(current);
    if (rule != null && shortWay != null && takes.nowNanos() >= rule.sinceNanos()) {
      return shortWay.takeAll(takes, from, rule);
    }
    int index = from;
    while (index < takes.size() && isTaken(takes, index, current)) {
      index++;
    }
    return index;
  }

  private boolean isTaken(Takes takes, int index, Plan current) {
    long hash = takes.hash(index);
    Rule rule = plans.quickRule(current, hash);
    long outcome = take(rule, hash, takes.nowNanos(), takes.cost(index));
    takes.outcome(index, outcome);
    return outcome != ShortWay.UNUSUAL;
  }

  private void decideWithTurns(Batch batch, int index, long nowNanos) {
    long hash = batch.takes().hash(index);
    long blocked = plans.blockedNanos(hash, nowNanos);
    long cost = blocked > 0 ? Math.max(0, batch.takes().cost(index)) : batch.takes().cost(index);
    long then = blocked > 0 ? plans.blockEnd(hash, nowNanos) : nowNanos;
    Together turns = Player.turns().onlyLooks(blocked > 0);
    Plan current = player.play(hash, then, cost, turns);
    boolean fits = blocked == 0 && Player.passes(current, turns);
    Step step = turns.turn(Answers.deciding(current, turns, /* from= */ 0)).step();
    boolean unknown = turns.isUnknown();
    long left = unknown || blocked > 0 ? 0 : step.remaining();
    long wait = Answers.waitNanos(step);
    long end = plans.overrideEnd(hash, then);
    if (!fits && !unknown && end != Long.MAX_VALUE && wait >= end - then) {
      wait = Wide.add(end - then, player.waitNanos(hash, end, cost));
    }
    batch.answer(index, fits, left, fits || unknown ? 0 : Wide.add(blocked, wait));
    wakeIfGivenBack(hash, cost);
  }

  /** Settles every rate of a reservation for its real cost; what it holds is over and freed. */
  void commit(Reserved reserved, long realCost, long nowNanos) {
    long more = realCost - reserved.cost();
    player.play(
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
    waiters.wake(reserved.hash());
  }

  /** Gives a reservation back, or renews its leases; true if one was renewed. */
  boolean settle(Reserved reserved, Ask ask, long nowNanos) {
    Together turns =
        player.play(
            reserved.hash(), nowNanos, turn -> reserved.asks(turn, ask, /* kept= */ 0, plans));
    boolean renewed = false;
    for (int i = 0; i < turns.size(); i++) {
      renewed |= turns.turn(i).renewed();
    }
    if (ask == Ask.GIVE_BACK) {
      waiters.wake(reserved.hash());
    }
    return renewed;
  }

  void reset(long hash, long nowNanos) {
    plans.history().reset(hash);
    player.play(hash, nowNanos, turn -> turn.asks(Ask.RESET, 0, 0));
    /* Whoever took meanwhile was reset too. */
    plans.history().reset(hash);
    waiters.wake(hash);
  }

  void block(long hash, long untilNanos, long nowNanos) {
    plans.block(hash, untilNanos, nowNanos);
    waiters.wake(hash);
  }

  void override(long hash, Policy policy, long untilNanos, long nowNanos) {
    if (untilNanos > nowNanos) {
      checkFits(policy);
    }
    try {
      try {
        plans.override(hash, policy, untilNanos, nowNanos);
      } finally {
        /* Converts what the key has used now: its old rule would let it be forgotten too early. */
        player.play(hash, nowNanos, /* cost= */ 0, Player.turns());
      }
    } finally {
      waiters.wake(hash);
    }
  }

  void update(Policy policy, Clock clock) {
    checkFits(policy);
    try {
      plans.update(policy, clock);
    } finally {
      waiters.wakeAll();
    }
  }

  /** A log that can never fit is refused here rather than failing one check at a time. */
  private void checkFits(Policy policy) {
    for (Limit limit : policy.limits()) {
      boolean log = Checks.counting(policy, limit) == Algorithm.SLIDING_WINDOW_LOG;
      if (log && table != null && !table.hasRoomForLog(limit.count())) {
        long needs = table.bytesForLog(limit.count());
        throw Checks.bad(
            "limit", limit, "a log within " + states.bytesMax() + " bytes, this needs " + needs);
      }
    }
  }

  Player player() {
    return player;
  }

  Plans plans() {
    return plans;
  }

  /** Who waits for keys; woken by whatever here makes room for them. */
  Waiters waiters() {
    return waiters;
  }

  MemoryLimiter.Usage usage() {
    return new MemoryLimiter.Usage(states.bytes(), states.bytesMax(), player.refused());
  }
}
