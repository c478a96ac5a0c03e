package io.penstock.server.node;

import java.util.Locale;

/** What an answer really has on disk when it leaves. */
public enum Durability {
  STRICT,
  FAST,
  NONE,
  /** It should have been durable, and the disk is away. */
  MEMORY;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As it is written on the wire. */
  public String text() {
    return text;
  }
}
