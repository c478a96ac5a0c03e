package io.penstock.core;

import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import java.util.Arrays;
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

  /** Says whether nothing may be decided under this plan for a moment. */
  void hold(boolean isHeld) {
    for (Rule rule : rules) {
      rule.hold(isHeld);
    }
  }

  /*
   * An override that is replaced goes on in the next one: what its key has used under it stays
   * used. Its rules that stay the same are in force for longer, so a renewal takes none.
   */
  /**
   * A plan that takes one key over until an instant, from another of its own or from this one; then
   * this one takes over again.
   */
  Plan overriddenBy(Policy other, Plan before, Rules registry, long nowNanos, long untilNanos) {
    Rule[] own = new Rule[other.limits().size()];
    int[] slots = slots(other, before);
    int used = slotsUsed;
    for (int i = 0; i < own.length; i++) {
      Limit limit = other.limits().get(i);
      Algorithm algorithm = other.algorithmOf(limit);
      Rule old = before == this ? null : before.withSlot(slots[i]);
      boolean same = old != null && isOf(old, limit, algorithm);
      boolean goesOn = same && old != null && !old.isOutdated(nowNanos, /* writtenBy= */ null);
      own[i] =
          goesOn && old != null ? old : registry.addForOneKey(limit, algorithm, slots[i], nowNanos);
      own[i].endsAt(untilNanos, withSlot(slots[i]));
      used = Math.max(used, slots[i] + 1);
    }
    Plan plan = new Plan(other, version, own, used, overrides + 1);
    before.endEarly(plan, /* general= */ this, nowNanos);
    return plan;
  }

  /** This plan after an override, whose counters it will not give to limits of its own. */
  Plan after(Plan override) {
    return new Plan(policy, version, rules, override.slotsUsed, override.overrides);
  }

  /** Ends the rules that hold for one key before their time, but for those of its next plan. */
  void endEarly(Plan next, Plan general, long nowNanos) {
    for (Rule rule : rules) {
      Rule successor = next.withSlot(rule.slot());
      if (this != general && successor != rule) {
        rule.endsAt(nowNanos, successor == null ? general.withSlot(rule.slot()) : successor);
      }
    }
  }

  /** Says under which plan its key goes on when this one is over: the one of before may be gone. */
  void leadsTo(Plan general) {
    for (Rule rule : rules) {
      rule.endsAt(rule.endNanos(), general.withSlot(rule.slot()));
    }
  }

  /** Whether none of its rules is new: all were those of a plan before it. */
  boolean isWithin(Plan before) {
    for (Rule rule : rules) {
      if (before.withSlot(rule.slot()) != rule) {
        return false;
      }
    }
    return true;
  }

  private Plan follow(Policy next, Rule[] following, Rules registry, long nowNanos) {
    int[] slots = slots(next, /* before= */ this);
    int used = slotsUsed;
    for (int i = 0; i < following.length; i++) {
      Limit limit = next.limits().get(i);
      Algorithm algorithm = next.algorithmOf(limit);
      Rule old = withSlot(slots[i]);
      boolean same = old != null && isOf(old, limit, algorithm);
      following[i] = same && old != null ? old : registry.add(limit, algorithm, slots[i], nowNanos);
      used = Math.max(used, slots[i] + 1);
    }
    return new Plan(next, version + 1, following, used, overrides);
  }

  /** To the letter, since answers name the limit as it was written. */
  private static boolean isOf(Rule rule, Limit limit, Algorithm algorithm) {
    return rule.limit().toString().equals(limit.toString()) && rule.algorithm().equals(algorithm);
  }

  /*
   * A limit continues the counter of the old limit with the same period, else of the one at the
   * same place, else it gets a new one. So "10/s; 1000/day" changed to "1000/day; 20/s" mixes
   * nothing up. The old limits of a key are those of the override that is in force for it, and
   * beside them the general ones: a counter that the override does not read waits for the key.
   */
  private int[] slots(Policy next, Plan before) {
    int[] slots = new int[next.limits().size()];
    Arrays.fill(slots, NONE);
    before.continuePeriods(next, slots);
    continuePeriods(next, slots);
    int fresh = slotsUsed;
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] == NONE) {
        slots[i] = before.slotAt(i, slots);
      }
      if (slots[i] == NONE) {
        slots[i] = slotAt(i, slots);
      }
      if (slots[i] == NONE) {
        slots[i] = fresh++;
      }
    }
    return slots;
  }

  private void continuePeriods(Policy next, int[] slots) {
    for (int i = 0; i < slots.length; i++) {
      for (Rule old : rules) {
        if (slots[i] == NONE
            && samePeriod(old.limit(), next.limits().get(i))
            && !isTaken(old.slot(), slots)) {
          slots[i] = old.slot();
        }
      }
    }
  }

  /** The counter of the limit at a place, if nothing continues it. */
  private int slotAt(int place, int[] slots) {
    boolean free = place < rules.length && !isTaken(rules[place].slot(), slots);
    return free ? rules[place].slot() : NONE;
  }

  private static boolean isTaken(int slot, int[] slots) {
    for (int taken : slots) {
      if (taken == slot) {
        return true;
      }
    }
    return false;
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
