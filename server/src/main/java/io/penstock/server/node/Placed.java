package io.penstock.server.node;

/** A policy at its scope. Immutable; its offer may change with its tier. */
record Placed(String scope, long version, Offer offer) {}
