package io.penstock.server.security;

import java.util.Locale;

/** What a caller may do. Each role holds the ones it implies. */
public enum Role {
  /** Ask for decisions. */
  CHECK,
  /** See policies, usage and metrics. */
  READ,
  /** Everything: also change policies and keys. */
  ADMIN;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As it is written in files and tokens: {@code check}. */
  public String text() {
    return text;
  }

  boolean implies(Role other) {
    return this == ADMIN || this == other;
  }
}
