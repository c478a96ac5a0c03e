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

  /** As it is written on the wire: {@code fail-open}. */
  public String text() {
    return text;
  }
}
