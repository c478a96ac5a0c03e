package io.penstock.cli.simulate;

/** One request of the traffic: when it comes, from the start, and what it costs. Immutable. */
record Arrival(long atNanos, long cost) {}
