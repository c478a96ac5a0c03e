package io.penstock.core.policy;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step of a scope: {@code key}, {@code key=value} or {@code key=val*}. Immutable.
 *
 * @param value null for a bare key, which stands for every value
 */
public record Level(String key, @Nullable Glob value) {
  public Level {
    Objects.requireNonNull(key, "key");
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key:  (expected: at least one character)");
    }
  }
}
