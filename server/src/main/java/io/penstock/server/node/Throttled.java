package io.penstock.server.node;

/**
 * The answer to a check that brings its own limit, as {@code CL.THROTTLE} does. Immutable.
 *
 * @param retryAfterNanos 0 if allowed, {@link Long#MAX_VALUE} for never
 */
public record Throttled(
    boolean allowed, long limit, long remaining, long retryAfterNanos, long resetAfterNanos) {}
