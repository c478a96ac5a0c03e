package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.algorithm.Wide;
import io.penstock.core.policy.Terms;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Other limits for one key, from an instant until another, and those they took over from.
 * Immutable.
 *
 * @param earlierNanos when the override before this one began: what was taken until then, and not
 *     at the instant of both, cannot be followed any more
 * @param forgottenNanos until when it is remembered, as what was used under it may count
 * @param before what the key was under; null if nobody knows, or nothing applied to it
 */
record KeyOverride(
    Grant grant,
    long sinceNanos,
    long untilNanos,
    long earlierNanos,
    long forgottenNanos,
    @Nullable Grant before) {
  /** In place of the beginning of an override before the first. */
  static final long NEVER = Long.MIN_VALUE;

  private static final long REMEMBERED_NANOS_MAX = Duration.ofDays(366).toNanos();

  /**
   * What holds beside its limits: what the policy says whose limits it replaces, at every moment.
   * If that counts nothing it replaces none, and says all by itself.
   */
  Terms terms(@Nullable Grant general) {
    return general != null && general.terms().enabled() && general.size() > 0
        ? general.terms()
        : grant.terms();
  }

  /** This one, ended early: it is remembered as long after its end as it would have been. */
  KeyOverride endingAt(long nanos) {
    long forgotten = nanos + (forgottenNanos - untilNanos);
    return new KeyOverride(grant, sinceNanos, nanos, earlierNanos, forgotten, before);
  }

  boolean isOver(long nowNanos) {
    return untilNanos <= nowNanos;
  }

  /** When it will have ended so long ago that no reservation is from before. */
  long settledNanos() {
    return untilNanos + Reservations.TTL_NANOS_MAX;
  }

  /** How long what was used under limits may count under the ones that follow. */
  static long lasting(List<Limit> own, List<Limit> next) {
    long units = own.stream().mapToLong(Limit::capacity).max().orElse(0);
    long longest = Reservations.TTL_NANOS_MAX;
    for (Limit limit : next) {
      long drained =
          limit.isConcurrent()
              ? 0
              : Wide.mulDivCeil(units, limit.unitNumerator(), limit.unitDenominator());
      longest = Math.max(longest, Math.max(limit.periodNanos(), drained));
    }
    return Math.min(longest, REMEMBERED_NANOS_MAX);
  }
}
