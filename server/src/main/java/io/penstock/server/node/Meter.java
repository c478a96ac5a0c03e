package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.state.Turn;

/**
 * Where one limit of a policy stands after a check. Immutable.
 *
 * @param limit the limit
 * @param denied whether it is one of those that denied
 * @param remaining what is left
 * @param retryAfterNanos how long until this check would fit; {@link Long#MAX_VALUE} for never
 * @param resetAfterNanos how long until it is full again
 * @param moreAfterNanos how long until there is more than now, or until a window ends that is still
 *     full; if denied, until this check fits
 */
public record Meter(
    Limit limit,
    boolean denied,
    long remaining,
    long retryAfterNanos,
    long resetAfterNanos,
    long moreAfterNanos) {

  /** What a turn says of its limit once it is played. */
  static Meter of(Turn turn) {
    Step step = turn.step();
    long retry = step.never() ? Long.MAX_VALUE : step.retryAfterNanos();
    long reset = step.resetAfterNanos();
    long more = step.allowed() || step.never() ? step.moreAfterNanos() : retry;
    return new Meter(turn.rule().limit(), !step.allowed(), step.remaining(), retry, reset, more);
  }

  /** This one, where other limits hold after a while: of what is later they tell the times. */
  Meter continued(long whileNanos, long retryNanos, long resetNanos) {
    long retry = retryAfterNanos > whileNanos ? retryNanos : retryAfterNanos;
    long reset = resetAfterNanos > whileNanos ? resetNanos : resetAfterNanos;
    long change = denied && retry != Long.MAX_VALUE ? retry : whileNanos;
    long more = moreAfterNanos > whileNanos ? change : moreAfterNanos;
    return new Meter(limit, denied, remaining, retry, reset, more);
  }

  /** Denied comes before allowed, then the longest wait, then the least left. */
  boolean isAhead(Meter other) {
    if (denied != other.denied) {
      return denied;
    }
    return denied ? retryAfterNanos > other.retryAfterNanos : remaining < other.remaining;
  }

  boolean isNever() {
    return retryAfterNanos == Long.MAX_VALUE;
  }

  /** What would have been limited has nothing left. */
  Meter emptied() {
    return denied
        ? new Meter(
            limit,
            /* denied= */ false,
            /* remaining= */ 0,
            /* retryAfterNanos= */ 0,
            resetAfterNanos,
            moreAfterNanos)
        : this;
  }
}
