package io.penstock.core.policy;

import java.util.Objects;

/** One {@code key=value} of a descriptor. Immutable. The value may be empty, the key not. */
public record Entry(String key, String value) {
  public Entry {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key:  (expected: at least one character)");
    }
  }
}
