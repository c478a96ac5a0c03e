package io.penstock.core;

import io.penstock.core.KeyRules.KeyRule;
import io.penstock.core.algorithm.Wide;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.States;
import org.jspecify.annotations.Nullable;

/**
 * The plans in force, the general one and those of single keys. Thread-safe; readers never wait.
 */
final class Plans {
  /*
   * The rules of a plan end before the plan that follows is published. Whoever decides meanwhile
   * finds the rule outdated and asks for the plan again (Player.play).
   */
  private final Rules rules;
  private final States states;
  private final KeyRules keyRules = new KeyRules();
  private final KeyHistory history = new KeyHistory();
  private volatile Plan general;

  Plans(Policy policy, Rules rules, States states, long nowNanos) {
    this.rules = rules;
    this.states = states;
    this.general = Plan.first(policy, rules, nowNanos);
  }

  /** The plan of every key that has none of its own. */
  Plan general() {
    return general;
  }

  /** The plan a key is under, its own or the general one. */
  Plan of(long hash, long nowNanos) {
    /* First the general one: whoever finds it to be after an override sees that one too. */
    Plan current = general;
    KeyRule own = keyRules.get(hash, nowNanos);
    return own == null ? current : own.planOr(current, nowNanos);
  }

  /** The rule of a plan by which a key can be decided without turns; null if it is special. */
  @Nullable Rule quickRule(Plan current, long hash) {
    return keyRules.has(hash) ? null : current.quick();
  }

  /** The rule of a plan by which all keys can be decided without turns; null if some cannot. */
  @Nullable Rule quickRule(Plan current) {
    return keyRules.isEmpty() ? current.quick() : null;
  }

  /** How long a key is still blocked, 0 if it is not. */
  long blockedNanos(long hash, long nowNanos) {
    KeyRule own = keyRules.get(hash, nowNanos);
    return own == null ? 0 : own.blockedNanos(nowNanos);
  }

  /** When the block of a key ends, or the last instant of a clock: nobody asks after that. */
  long blockEnd(long hash, long nowNanos) {
    long end = Wide.add(nowNanos, blockedNanos(hash, nowNanos));
    return Math.min(end, Math.max(nowNanos, MonotonicClock.NANOS_MAX));
  }

  /** When the plan that a key has of its own ends; never, if it has none. */
  long overrideEnd(long hash, long nowNanos) {
    KeyRule own = keyRules.get(hash, nowNanos);
    return own == null || own.planUntil() <= nowNanos ? Long.MAX_VALUE : own.planUntil();
  }

  /** What happened to single keys lately. */
  KeyHistory history() {
    return history;
  }

  void block(long hash, long untilNanos, long nowNanos) {
    keyRules.block(hash, untilNanos, nowNanos);
  }

  /** Puts one key under another policy until an instant; one in the past ends that. */
  synchronized void override(long hash, Policy policy, long untilNanos, long nowNanos) {
    Plan before = of(hash, nowNanos);
    if (untilNanos <= nowNanos) {
      before.endEarly(general, general, nowNanos);
      keyRules.endOverride(hash, nowNanos);
      return;
    }
    Plan own;
    /* Nobody may take the last place in between: rules that are added stay until their end. */
    synchronized (keyRules) {
      keyRules.checkRoom(hash, policy.limits().size(), nowNanos);
      own = general.overriddenBy(policy, before, rules, nowNanos, untilNanos);
      keyRules.override(hash, own, untilNanos, nowNanos);
    }
    general = general.after(own);
    if (!own.isWithin(before)) {
      history.override(hash, own, before, general, nowNanos);
    }
    sweep(own.size(), nowNanos);
  }

  synchronized void update(Policy policy, Clock clock) {
    Plan before = general;
    before.hold(true);
    long nowNanos;
    try {
      nowNanos = clock.nanos();
      general = before.replacedBy(policy, rules, nowNanos);
    } finally {
      before.hold(false);
    }
    /* A rule leads to all that follow it, so what is kept of single keys would keep them all. */
    for (Plan own : keyRules.plansInForce(nowNanos)) {
      own.leadsTo(general);
    }
    history.goOnTo(general.version());
    sweep(general.size(), nowNanos);
  }

  private void sweep(int rulesAdded, long nowNanos) {
    for (int i = 0; i < rulesAdded; i++) {
      states.sweep(nowNanos);
    }
  }
}
