package io.penstock.server.node;

import io.penstock.core.Step;
import io.penstock.core.state.Turn;

/**
 * The answer to a check that brings its own limit, as {@code CL.THROTTLE} does. Immutable.
 *
 * @param retryAfterNanos 0 if allowed, {@link Long#MAX_VALUE} for never
 */
public record Throttled(
    boolean allowed, long limit, long remaining, long retryAfterNanos, long resetAfterNanos) {

  /** What became of a turn. One that could not be kept is denied: no policy says otherwise. */
  static Throttled of(Turn turn) {
    Step step = turn.step();
    long capacity = turn.rule().capacity();
    if (turn.isFull()) {
      long wait = Subject.RETRY_NANOS;
      return new Throttled(/* allowed= */ false, capacity, /* remaining= */ 0, wait, wait);
    }
    return new Throttled(
        step.allowed(),
        capacity,
        step.remaining(),
        step.never() ? Long.MAX_VALUE : step.retryAfterNanos(),
        step.resetAfterNanos());
  }
}
