package io.penstock.core;

import io.penstock.core.state.Claim;
import io.penstock.core.state.Rule;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What happened to single keys lately and does not show in their states: that they were reset, or
 * had a plan of their own and followed it there and back. Thread-safe.
 */
final class KeyHistory {
  /** The latest plan of a key, the one it took over from, when, and when the one before did. */
  private record Past(Plan own, Plan general, long sinceNanos, long earlierNanos) {}

  /** More than can be overridden at once. What is forgotten is not given back. */
  private static final int KEYS_MAX = 4_096;

  private static final long NEVER = Long.MIN_VALUE;

  private final Map<Long, Past> byHash = new ConcurrentHashMap<>();
  private final Map<Long, Long> resets = new ConcurrentHashMap<>();
  private volatile long forgottenNanos = NEVER;

  void reset(long hash, long nowNanos) {
    makeRoom(resets, nowNanos);
    resets.put(hash, nowNanos);
  }

  private void makeRoom(Map<Long, ?> history, long nowNanos) {
    if (history.size() >= KEYS_MAX) {
      forgottenNanos = nowNanos;
      history.clear();
    }
  }

  void override(long hash, Plan own, Plan general, long nowNanos) {
    makeRoom(byHash, nowNanos);
    byHash.merge(
        hash,
        new Past(own, general, nowNanos, NEVER),
        (old, past) -> new Past(own, general, nowNanos, old.sinceNanos));
  }

  /** Whether what a key took at an instant can be followed until now. */
  boolean knows(long hash, long sinceNanos) {
    Past past = byHash.get(hash);
    long earlier = past == null ? NEVER : past.earlierNanos;
    return sinceNanos > Math.max(forgottenNanos, earlier)
        && sinceNanos > resets.getOrDefault(hash, NEVER);
  }

  /** Follows a claim of an instant, made under a rule, into the key's own plan, if it was since. */
  void follow(Claim claim, Rule madeUnder, long hash, long sinceNanos) {
    Past past = byHash.get(hash);
    if (past == null || sinceNanos > past.sinceNanos) {
      return;
    }
    Rule own = past.own.withSlot(madeUnder.slot());
    Rule before = past.general.withSlot(madeUnder.slot());
    if (own != null && before != null && own != madeUnder) {
      claim.followTo(before, past.sinceNanos);
      claim.handTo(own, past.sinceNanos);
    }
  }
}
