package io.penstock.core;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What holds for single keys until some instant: a block, or another plan. Thread-safe. */
final class KeyRules {
  /** Blocks and overrides are exceptions; whoever needs more of them needs a policy. */
  static final int KEYS_MAX = 65_536;

  /** A block if there is no plan. Immutable. */
  record KeyRule(long untilNanos, @Nullable Plan plan) {}

  private final Map<Long, KeyRule> byHash = new ConcurrentHashMap<>();

  /* Read by every decision, so that one who never blocks or overrides a key pays for a field. */
  private volatile boolean used;

  void put(long hash, KeyRule rule, long nowNanos) {
    if (byHash.size() >= KEYS_MAX && !byHash.containsKey(hash)) {
      byHash.values().removeIf(old -> old.untilNanos <= nowNanos);
      Checks.between("blocked and overridden keys", byHash.size() + 1, 1, KEYS_MAX);
    }
    used = true;
    byHash.put(hash, rule);
  }

  boolean isEmpty() {
    return !used || byHash.isEmpty();
  }

  void remove(long hash) {
    byHash.remove(hash);
  }

  /** The rule of a key, or null for nearly every key. */
  @Nullable KeyRule get(long hash, long nowNanos) {
    if (!used) {
      return null;
    }
    KeyRule rule = byHash.get(hash);
    if (rule != null && rule.untilNanos <= nowNanos) {
      byHash.remove(hash, rule);
      return null;
    }
    return rule;
  }
}
