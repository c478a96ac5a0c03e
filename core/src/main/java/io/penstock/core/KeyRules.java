package io.penstock.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What holds for single keys until some instant: a block, another plan, or both. Thread-safe. */
final class KeyRules {
  /** Blocks are exceptions; whoever needs more of them needs a policy. */
  static final int KEYS_MAX = 65_536;

  /** Overrides are rules of their own, and there are only so many numbers for rules. */
  static final int OVERRIDDEN_LIMITS_MAX = 2_047;

  /** A block until one instant, and another plan until another. Immutable. */
  record KeyRule(long blockedUntil, long planUntil, @Nullable Plan plan) {
    boolean isOver(long nowNanos) {
      return blockedUntil <= nowNanos && planUntil <= nowNanos;
    }

    /** The plan of the key, or the general one. */
    Plan planOr(Plan general, long nowNanos) {
      return plan != null && planUntil > nowNanos ? plan : general;
    }
  }

  private final Map<Long, KeyRule> byHash = new ConcurrentHashMap<>();

  /* Read by every decision, so that one who never blocks or overrides a key pays for a field. */
  private volatile boolean used;

  void block(long hash, long untilNanos, long nowNanos) {
    checkRoom(hash, nowNanos);
    used = true;
    byHash.merge(
        hash,
        new KeyRule(untilNanos, 0, null),
        (old, block) -> new KeyRule(untilNanos, old.planUntil, old.plan));
  }

  void override(long hash, Plan plan, long untilNanos, long nowNanos) {
    checkRoom(hash, nowNanos);
    used = true;
    byHash.merge(
        hash,
        new KeyRule(0, untilNanos, plan),
        (old, override) -> new KeyRule(old.blockedUntil, untilNanos, plan));
  }

  /** Refuses a plan of so many limits if too many keys have plans of their own. */
  void checkLimits(int limits, long nowNanos) {
    int inForce = limits;
    for (KeyRule rule : byHash.values()) {
      Plan plan = rule.planUntil > nowNanos ? rule.plan : null;
      inForce += plan == null ? 0 : plan.size();
    }
    Checks.between("limits of overridden keys", inForce, 1, OVERRIDDEN_LIMITS_MAX);
  }

  private void checkRoom(long hash, long nowNanos) {
    if (byHash.size() >= KEYS_MAX && !byHash.containsKey(hash)) {
      byHash.values().removeIf(old -> old.isOver(nowNanos));
      Checks.between("blocked and overridden keys", byHash.size() + 1, 1, KEYS_MAX);
    }
  }

  void endOverride(long hash) {
    byHash.computeIfPresent(hash, (key, old) -> new KeyRule(old.blockedUntil, 0, null));
  }

  boolean isEmpty() {
    return !used || byHash.isEmpty();
  }

  /** The rule of a key, or null for nearly every key. */
  @Nullable KeyRule get(long hash, long nowNanos) {
    if (!used) {
      return null;
    }
    KeyRule rule = byHash.get(hash);
    if (rule != null && rule.isOver(nowNanos)) {
      byHash.remove(hash, rule);
      return null;
    }
    return rule;
  }
}
