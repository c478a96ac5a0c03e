package io.penstock.core;

import io.penstock.core.state.Claim;
import io.penstock.core.state.Rule;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which keys had a plan of their own lately: states have followed it there and back, and the rule
 * they are under now does not tell. Thread-safe.
 */
final class Overridden {
  /** The latest plan of a key, the one it took over from, when, and when the one before did. */
  private record Past(Plan own, Plan general, long sinceNanos, long earlierNanos) {}

  /** More than can be overridden at once; what is forgotten is not given back. */
  private static final int KEYS_MAX = 4_096;

  private static final long NEVER = Long.MIN_VALUE;

  private final Map<Long, Past> byHash = new ConcurrentHashMap<>();
  private volatile long forgottenNanos = NEVER;

  void add(long hash, Plan own, Plan general, long nowNanos) {
    if (byHash.size() >= KEYS_MAX) {
      byHash.clear();
      forgottenNanos = nowNanos;
    }
    byHash.merge(
        hash,
        new Past(own, general, nowNanos, NEVER),
        (old, past) -> new Past(own, general, nowNanos, old.sinceNanos));
  }

  /** Whether it is known what a key was under since an instant. */
  boolean knows(long hash, long sinceNanos) {
    Past past = byHash.get(hash);
    return sinceNanos > forgottenNanos && (past == null || sinceNanos > past.earlierNanos);
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
