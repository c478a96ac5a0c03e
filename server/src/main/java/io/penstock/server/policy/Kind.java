package io.penstock.server.policy;

/** What a document describes. */
public enum Kind {
  /** What applies at a scope. */
  POLICY,
  /** A named bundle that policies refer to. */
  TIER
}
