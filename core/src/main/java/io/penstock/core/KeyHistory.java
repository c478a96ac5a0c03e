package io.penstock.core;

import io.penstock.core.state.Claim;
import io.penstock.core.state.Rule;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happened to single keys lately and does not show in their states: that they were reset, or
 * had a plan of their own and followed it there and back. Thread-safe.
 */
final class KeyHistory {
  /**
   * The latest plan of a key, the one it took over from, which may be an override too, the general
   * one, when, and which override was before.
   */
  private record Past(Plan own, Plan before, Plan general, long sinceNanos, long earlier) {
    /** The rule that one of the counters left; null if it had none. */
    @Nullable Rule left(int slot) {
      Rule left = before.withSlot(slot);
      return left == null ? general.withSlot(slot) : left;
    }
  }

  /** The oldest go first. What was taken before that is not given back: nobody could follow it. */
  static final int KEYS_MAX = 1 << 16;

  /** So many policies later an override is forgotten: its rules lead to all of theirs. */
  static final int VERSIONS_MAX = 1 << 12;

  private final Map<Long, Past> overrides = new LinkedHashMap<>();
  private final Map<Long, Long> resets = new LinkedHashMap<>();
  private long overridesForgotten;
  private long resetsForgotten;
  private volatile long resetCount;

  /** How many resets there have been: to be read before taking what may be given back. */
  long resetCount() {
    return resetCount;
  }

  synchronized void reset(long hash) {
    resetCount++;
    resets.remove(hash);
    if (resets.size() == KEYS_MAX) {
      Iterator<Long> oldest = resets.values().iterator();
      resetsForgotten = oldest.next();
      oldest.remove();
    }
    resets.put(hash, resetCount);
  }

  synchronized void override(long hash, Plan own, Plan before, Plan general, long nowNanos) {
    Past old = overrides.remove(hash);
    if (overrides.size() == KEYS_MAX) {
      Iterator<Past> oldest = overrides.values().iterator();
      overridesForgotten = oldest.next().own.overrides();
      oldest.remove();
    }
    long earlier = old == null ? 0 : old.own.overrides();
    overrides.put(hash, new Past(own, before, general, nowNanos, earlier));
  }

  /** Says how often the policy has been replaced by now. */
  synchronized void goOnTo(long version) {
    Iterator<Past> oldest = overrides.values().iterator();
    while (oldest.hasNext()) {
      Plan own = oldest.next().own;
      if (own.version() >= version - VERSIONS_MAX) {
        return;
      }
      overridesForgotten = own.overrides();
      oldest.remove();
    }
  }

  /*
   * Overrides and resets are counted and not compared by their time: there may be several in one
   * nanosecond, and some of them after what was taken then.
   */
  /** Whether what a key took after so many overrides and resets can be followed until now. */
  synchronized boolean knows(long hash, long afterOverrides, long afterResets) {
    return afterOverrides >= overridesForgotten
        && afterResets >= resetsForgotten
        && !knowsBetter(hash, afterOverrides, afterResets);
  }

  /** Whether so much is remembered of a key that what it took before cannot be followed. */
  synchronized boolean knowsBetter(long hash, long afterOverrides, long afterResets) {
    Past past = overrides.get(hash);
    long earlier = past == null ? 0 : past.earlier;
    return afterOverrides < earlier || afterResets < resets.getOrDefault(hash, 0L);
  }

  /** Follows a claim, made under a rule after so many overrides, into a plan the key had since. */
  synchronized void follow(Claim claim, Rule madeUnder, long hash, long afterOverrides) {
    Past past = overrides.get(hash);
    if (past == null || afterOverrides >= past.own.overrides()) {
      return;
    }
    Rule own = past.own.withSlot(madeUnder.slot());
    Rule before = past.left(madeUnder.slot());
    if (own != null && before != null && own != before) {
      claim.followTo(before, past.sinceNanos);
      claim.handTo(own, past.sinceNanos);
    }
  }
}
