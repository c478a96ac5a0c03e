package io.penstock.core.policy;

/** When an answer leaves, measured by what is on disk, or with a quorum, by then. */
public enum Consistency {
  /** After what it took is durable. */
  STRICT,
  /** At once; durable within milliseconds. */
  FAST,
  /** At once; never durable. */
  NONE
}
