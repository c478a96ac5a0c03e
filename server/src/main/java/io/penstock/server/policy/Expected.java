package io.penstock.server.policy;

/** Which version a writer believes to be there: a change of any other is refused. */
public sealed interface Expected {
  /** There must be none. */
  record Absent() implements Expected {}

  /** It must be this one. */
  record Version(long version) implements Expected {}

  /** There must be one, whichever. */
  record Any() implements Expected {}
}
