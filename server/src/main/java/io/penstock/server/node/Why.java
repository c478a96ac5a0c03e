package io.penstock.server.node;

import java.util.Locale;

/** Why an answer is what it is, in the words of the wire. */
public enum Why {
  OK,
  LIMITED,
  NEVER,
  NO_POLICY,
  UNLIMITED,
  DISABLED,
  SHADOW,
  BLOCKED,
  FAIL_OPEN,
  FAIL_CLOSED,
  FAIL_LOCAL;

  private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /**
   * Whether it is told rather than another where neither tells numbers: what could not be decided,
   * then what a policy says, then that there is none.
   */
  boolean isAhead(Why other) {
    return rank() > other.rank();
  }

  private int rank() {
    return switch (this) {
      case FAIL_OPEN, FAIL_CLOSED, FAIL_LOCAL -> 2;
      case NO_POLICY -> 0;
      default -> 1;
    };
  }

  /** As it is written on the wire: {@code fail-open}. */
  public String text() {
    return text;
  }
}
