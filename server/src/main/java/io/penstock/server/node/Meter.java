package io.penstock.server.node;

import io.penstock.core.Limit;

/**
 * Where one limit of a policy stands after a check. Immutable.
 *
 * @param limit the limit
 * @param denied whether it is one of those that denied
 * @param remaining what is left
 * @param retryAfterNanos how long until this check would fit; {@link Long#MAX_VALUE} for never
 * @param resetAfterNanos how long until it is full again
 * @param moreAfterNanos how long until there is more than now; if denied, until this check fits
 */
public record Meter(
    Limit limit,
    boolean denied,
    long remaining,
    long retryAfterNanos,
    long resetAfterNanos,
    long moreAfterNanos) {}
