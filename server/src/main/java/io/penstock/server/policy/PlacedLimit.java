package io.penstock.server.policy;

import io.penstock.core.Limit;

/** A limit and where it was read. Immutable. */
record PlacedLimit(String where, Limit limit) {}
