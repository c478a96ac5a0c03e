package io.penstock.server.node;

import java.util.List;
import java.util.Locale;

/** What an answer really has on disk when it leaves. */
public enum Durability {
  STRICT,
  FAST,
  NONE,
  /** It should have been durable, and the disk is away. */
  MEMORY;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** That of a whole whose parts have these: what waits for one part has waited for all. */
  public static Durability ofBoth(Durability a, Durability b) {
    for (Durability each : List.of(MEMORY, STRICT, FAST)) {
      if (a == each || b == each) {
        return each;
      }
    }
    return NONE;
  }

  /** As it is written on the wire. */
  public String text() {
    return text;
  }
}
