package io.penstock.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What holds for single keys until some instant: a block, another plan, or both. Thread-safe;
 * readers never wait.
 */
final class KeyRules {
  /*
   * Every decision looks here, so a look makes no garbage: the rules lie in an open-addressed
   * array in which a key is found by its hash. A rule that is over keeps its place until all get
   * new ones, so that readers find what lies behind it; that comes at most once in half as many new
   * keys as there are. Writers, one at a time, have the rules by their ends as well: each forgets a
   * few that are over, and none scans for them. A plan that is over is put down earlier, with the
   * next override or change of the policy: its rules lead to every rule that followed them.
   */

  /** A rule takes about 100 bytes of heap; whoever needs more of them needs a policy. */
  static final int KEYS_MAX = 1 << 20;

  /** Overrides are rules of their own, and there are only so many numbers for rules. */
  static final int OVERRIDDEN_LIMITS_MAX = 2_047;

  private static final int PLACES_MIN = 16;
  private static final int DROPS_PER_WRITE = 4;
  private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

  /** A block until one instant, and another plan until another. Immutable. */
  record KeyRule(long hash, long blockedUntil, long planUntil, @Nullable Plan plan) {
    private static final Comparator<KeyRule> BY_END =
        Comparator.comparingLong(KeyRule::end).thenComparingLong(KeyRule::hash);

    private long end() {
      return Math.max(blockedUntil, planUntil);
    }

    boolean isOver(long nowNanos) {
      return end() <= nowNanos;
    }

    /** How long the key is still blocked, 0 if it is not. */
    long blockedNanos(long nowNanos) {
      return Math.max(0, blockedUntil - nowNanos);
    }

    /** The plan of the key, or the general one. */
    Plan planOr(Plan general, long nowNanos) {
      return plan != null && planUntil > nowNanos ? plan : general;
    }
  }

  private final TreeSet<KeyRule> byEnd = new TreeSet<>(KeyRule.BY_END);
  private final List<KeyRule> overrides = new ArrayList<>();
  private int placesUsed;

  /* Null until there is a rule: who never blocks or overrides a key pays for a field. */
  private volatile @Nullable AtomicReferenceArray<@Nullable KeyRule> places;

  synchronized void block(long hash, long untilNanos, long nowNanos) {
    KeyRule old = find(hash);
    put(
        old == null || old.planUntil <= nowNanos
            ? new KeyRule(hash, untilNanos, 0, null)
            : new KeyRule(hash, untilNanos, old.planUntil, old.plan),
        old,
        nowNanos);
  }

  synchronized void override(long hash, Plan plan, long untilNanos, long nowNanos) {
    KeyRule old = find(hash);
    KeyRule rule = new KeyRule(hash, old == null ? 0 : old.blockedUntil, untilNanos, plan);
    put(rule, old, nowNanos);
    overrides.removeIf(each -> each.hash == hash);
    overrides.add(rule);
  }

  /** Puts down the plan of a key; that needs no room. */
  synchronized void endOverride(long hash, long nowNanos) {
    putDownUntil(nowNanos);
    if (overrides.removeIf(rule -> rule.hash == hash)) {
      putDown(hash);
    }
  }

  /** Refuses a plan of so many limits for a key if those of others leave no room for it. */
  synchronized void checkRoom(long hash, int limits, long nowNanos) {
    putDownUntil(nowNanos);
    int inForce = limits;
    for (KeyRule rule : overrides) {
      inForce += rule.plan == null || rule.hash == hash ? 0 : rule.plan.size();
    }
    Checks.between("limits of overridden keys", inForce, 1, OVERRIDDEN_LIMITS_MAX);
    checkKeys(find(hash), nowNanos);
  }

  /** The plans that single keys have. */
  synchronized List<Plan> plansInForce(long nowNanos) {
    putDownUntil(nowNanos);
    List<Plan> plans = new ArrayList<>();
    for (KeyRule rule : overrides) {
      if (rule.plan != null) {
        plans.add(rule.plan);
      }
    }
    return plans;
  }

  /** Puts down all plans that are over. */
  private void putDownUntil(long nowNanos) {
    for (Iterator<KeyRule> each = overrides.iterator(); each.hasNext(); ) {
      KeyRule rule = each.next();
      if (rule.planUntil <= nowNanos) {
        each.remove();
        putDown(rule.hash);
      }
    }
  }

  private void putDown(long hash) {
    AtomicReferenceArray<@Nullable KeyRule> now = places;
    KeyRule old = find(hash);
    if (now != null && old != null) {
      KeyRule rule = new KeyRule(hash, old.blockedUntil, 0, null);
      if (byEnd.remove(old)) {
        byEnd.add(rule);
      }
      now.set(place(now, hash), rule);
    }
  }

  /** Whether no key ever had a rule. */
  boolean isEmpty() {
    return places == null;
  }

  /** Whether a key has a rule, or had one until lately: false for nearly every key. */
  boolean has(long hash) {
    return find(hash) != null;
  }

  /** The rule of a key, or null for nearly every key. */
  @Nullable KeyRule get(long hash, long nowNanos) {
    KeyRule rule = find(hash);
    return rule == null || rule.isOver(nowNanos) ? null : rule;
  }

  private @Nullable KeyRule find(long hash) {
    AtomicReferenceArray<@Nullable KeyRule> now = places;
    return now == null ? null : now.get(place(now, hash));
  }

  /** Where the rule of a key is, or the empty place where it is not. */
  private static int place(AtomicReferenceArray<@Nullable KeyRule> places, long hash) {
    int mask = places.length() - 1;
    int at = (int) ((hash * GOLDEN_RATIO) >>> Integer.SIZE) & mask;
    for (KeyRule rule = places.get(at); rule != null && rule.hash != hash; rule = places.get(at)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Refuses one more key if there are too many; a key that has a rule is none. */
  private void checkKeys(@Nullable KeyRule old, long nowNanos) {
    for (int i = 0; i < DROPS_PER_WRITE && !byEnd.isEmpty(); i++) {
      if (byEnd.first().isOver(nowNanos)) {
        byEnd.pollFirst();
      }
    }
    long more = old != null && byEnd.contains(old) ? 0 : 1;
    Checks.between("blocked and overridden keys", byEnd.size() + more, 1, KEYS_MAX);
  }

  private void put(KeyRule rule, @Nullable KeyRule old, long nowNanos) {
    checkKeys(old, nowNanos);
    if (old != null) {
      byEnd.remove(old);
    }
    byEnd.add(rule);
    AtomicReferenceArray<@Nullable KeyRule> now = places;
    if (now == null || 4L * placesUsed >= 3L * now.length()) {
      placeAll();
      return;
    }
    placesUsed += old == null ? 1 : 0;
    now.set(place(now, rule.hash), rule);
  }

  /** Gives places to all rules that are not over, at least twice as many as there are rules. */
  private void placeAll() {
    int length = Math.max(PLACES_MIN, Integer.highestOneBit(byEnd.size()) << 2);
    AtomicReferenceArray<@Nullable KeyRule> next = new AtomicReferenceArray<>(length);
    for (KeyRule rule : byEnd) {
      next.set(place(next, rule.hash), rule);
    }
    placesUsed = byEnd.size();
    places = next;
  }
}
