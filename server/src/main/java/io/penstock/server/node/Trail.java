package io.penstock.server.node;

import io.penstock.core.state.Claim;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import org.jspecify.annotations.Nullable;

/**
 * Follows what was taken from a counter through what has happened to its key since: the counterpart
 * of the library's {@code KeyHistory}, on rules that many keys share. Immutable.
 *
 * @param kept so many of the units taken are not given back
 */
record Trail(Holding.Claimed claimed, long takenNanos, long taken, long kept) {

  /**
   * What is left under the rule that is in force, and may be given back; null if nobody knows.
   *
   * @param past the latest limits that the key had of its own, over or not
   */
  @Nullable Claim to(Rule now, long nowNanos, @Nullable KeyOverride past) {
    Rule own = past == null ? null : past.grant().withCounter(claimed.counter());
    if (past == null || own == null || isAfter(past, own)) {
      return inLine(now, nowNanos);
    }
    Claim claim = under(own, past);
    if (claim != null && past.isOver(nowNanos)) {
      Rule next = now.inForceAt(past.untilNanos());
      claim.handTo(next, Math.max(past.untilNanos(), next.sinceNanos()));
      claim.followTo(now, nowNanos);
    }
    return claim;
  }

  /* Much may happen in one nanosecond: what was taken in that of a change tells by its limit. */
  private boolean isAfter(KeyOverride past, Rule own) {
    long end = past.untilNanos();
    return takenNanos > end || (takenNanos == end && !claimed.isOf(own));
  }

  private @Nullable Claim under(Rule own, KeyOverride past) {
    if (takenNanos >= past.sinceNanos() && claimed.isOf(own)) {
      return claim(own);
    }
    Grant before = past.before();
    Rule old = before == null ? null : before.withCounter(claimed.counter());
    /* At its very instant nothing has come back, even if the one before began then too. */
    boolean between = takenNanos > past.earlierNanos() && takenNanos < past.sinceNanos();
    if (old == null || !(between || takenNanos == past.sinceNanos())) {
      return null;
    }
    Claim claim = inLine(old, past.sinceNanos());
    claim.handTo(own, past.sinceNanos());
    return claim;
  }

  /** What is left under a rule at an instant, if nothing but policies has changed until then. */
  private Claim inLine(Rule to, long nowNanos) {
    Rule start = to.under(claimed.limit(), claimed.algorithm(), takenNanos);
    Rule first = to.origin();
    if (start == null && !first.isShared() && first.sinceNanos() >= takenNanos) {
      start = Rules.given(claimed.limit(), claimed.algorithm());
    }
    if (start == null) {
      return lesser(to, nowNanos);
    }
    Claim claim = claim(start);
    claim.followTo(to, nowNanos);
    return claim;
  }

  /*
   * Nobody knows when the key came under this rule, alone or before a restart. What is left falls
   * or rises with that instant, all the way: so the less of both ends is never too much.
   */
  private Claim lesser(Rule to, long nowNanos) {
    Rule from = Rules.given(claimed.limit(), claimed.algorithm());
    Claim early = claim(from);
    early.handTo(to.inForceAt(takenNanos), takenNanos);
    early.followTo(to, nowNanos);
    Claim late = claim(from);
    late.handTo(to, nowNanos);
    return early.counted(nowNanos) < late.counted(nowNanos) ? early : late;
  }

  private Claim claim(Rule rule) {
    return new Claim(rule, claimed.ticket(), taken, kept);
  }
}
