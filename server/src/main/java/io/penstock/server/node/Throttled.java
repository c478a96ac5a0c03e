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

  static Throttled of(Turn turn) {
    Step step = turn.step();
    return new Throttled(
        step.allowed() && !turn.isFull(),
        turn.rule().capacity(),
        step.remaining(),
        step.never() ? Long.MAX_VALUE : step.retryAfterNanos(),
        step.resetAfterNanos());
  }
}
