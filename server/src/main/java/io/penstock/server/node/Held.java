package io.penstock.server.node;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a reservation or to a request for a concurrent slot. Immutable.
 *
 * @param id names what is held, to settle or to release it; null if nothing is held
 */
public record Held(Answer answer, @Nullable String id) {}
