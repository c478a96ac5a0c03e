package io.penstock.core;

import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import org.jspecify.annotations.Nullable;

/** A policy made ready for deciding: one rule per limit, each with its counter. Immutable. */
final class Plan {
  private static final int NONE = -1;

  private final Policy policy;
  private final long version;
  private final Rule[] rules;
  private final int slotsUsed;
  private final long overrides;
  private final boolean failsOpen;
  private final @Nullable Rule quick;

  private Plan(Policy policy, long version, Rule[] rules, int slotsUsed, long overrides) {
    this.policy = policy;
    this.version = version;
    this.rules = rules;
    this.slotsUsed = slotsUsed;
    this.overrides = overrides;
    this.failsOpen = policy.failMode() == FailMode.OPEN;
    this.quick = rules.length == 1 && rules[0].isQuick() ? rules[0] : null;
  }

  static Plan first(Policy policy, Rules registry, long nowNanos) {
    Rule[] rules = new Rule[policy.limits().size()];
    Rule[] noRules = new Rule[0];
    Plan none = new Plan(policy, /* version= */ 0, noRules, /* slotsUsed= */ 0, /* overrides= */ 0);
    return none.follow(policy, rules, registry, nowNanos);
  }

  /** The plan after a change: the rules of this one end, and those that take over continue. */
  Plan replacedBy(Policy next, Rules registry, long nowNanos) {
    Plan plan = follow(next, new Rule[next.limits().size()], registry, nowNanos);
    for (Rule old : rules) {
      Rule successor = plan.withSlot(old.slot());
      if (successor != old) {
        old.endsAt(nowNanos, successor);
      }
    }
    return plan;
  }

  /** A plan that holds for one key until an instant; then this one takes over again. */
  Plan overriddenBy(Policy other, Rules registry, long nowNanos, long untilNanos) {
    Rule[] own = new Rule[other.limits().size()];
    int[] slots = slots(other);
    int used = slotsUsed;
    for (int i = 0; i < own.length; i++) {
      Limit limit = other.limits().get(i);
      own[i] = registry.add(limit, other.algorithmOf(limit), slots[i], nowNanos);
      own[i].endsAt(untilNanos, withSlot(slots[i]));
      used = Math.max(used, slots[i] + 1);
    }
    return new Plan(other, version, own, used, overrides + 1);
  }

  /** This plan after an override, whose counters it will not give to limits of its own. */
  Plan after(Plan override) {
    return new Plan(policy, version, rules, override.slotsUsed, override.overrides);
  }

  /** Ends the rules that hold for one key before their time. */
  void endEarly(Plan general, long nowNanos) {
    for (Rule rule : rules) {
      if (this != general) {
        rule.endsAt(nowNanos, general.withSlot(rule.slot()));
      }
    }
  }

  private Plan follow(Policy next, Rule[] following, Rules registry, long nowNanos) {
    int[] slots = slots(next);
    int used = slotsUsed;
    for (int i = 0; i < following.length; i++) {
      Limit limit = next.limits().get(i);
      Algorithm algorithm = next.algorithmOf(limit);
      Rule old = withSlot(slots[i]);
      boolean same = old != null && old.limit().equals(limit) && old.algorithm().equals(algorithm);
      following[i] = same && old != null ? old : registry.add(limit, algorithm, slots[i], nowNanos);
      used = Math.max(used, slots[i] + 1);
    }
    return new Plan(next, version + 1, following, used, overrides);
  }

  /*
   * A limit continues the counter of the old limit with the same period, else of the one at the
   * same place, else it gets a new one. So "10/s; 1000/day" changed to "1000/day; 20/s" mixes
   * nothing up.
   */
  private int[] slots(Policy next) {
    int[] slots = new int[next.limits().size()];
    boolean[] taken = new boolean[slotsUsed + slots.length];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = NONE;
      for (Rule old : rules) {
        if (slots[i] == NONE
            && !taken[old.slot()]
            && samePeriod(old.limit(), next.limits().get(i))) {
          slots[i] = old.slot();
          taken[old.slot()] = true;
        }
      }
    }
    int fresh = slotsUsed;
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] == NONE) {
        boolean free = i < rules.length && !taken[rules[i].slot()];
        slots[i] = free ? rules[i].slot() : fresh++;
        taken[slots[i]] = true;
      }
    }
    return slots;
  }

  private static boolean samePeriod(Limit a, Limit b) {
    return a.periodNanos() == b.periodNanos() && a.isConcurrent() == b.isConcurrent();
  }

  /** The rule that reads a counter, or null if none does. */
  @Nullable Rule withSlot(int slot) {
    for (Rule rule : rules) {
      if (rule.slot() == slot) {
        return rule;
      }
    }
    return null;
  }

  Policy policy() {
    return policy;
  }

  long version() {
    return version;
  }

  /** How many overrides of keys there had been when it began, itself if it is one. */
  long overrides() {
    return overrides;
  }

  /** The only rule, if it can be decided without a step; else null. */
  @Nullable Rule quick() {
    return quick;
  }

  boolean failsOpen() {
    return failsOpen;
  }

  int size() {
    return rules.length;
  }

  Rule rule(int index) {
    return rules[index];
  }
}
