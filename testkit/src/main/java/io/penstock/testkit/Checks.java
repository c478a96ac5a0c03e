package io.penstock.testkit;

import org.jspecify.annotations.Nullable;

/** The one form of an argument error, as in core: {@code name: value (expected: what)}. */
final class Checks {
  private Checks() {}

  /** The value, if there is one. */
  static <T> T given(String name, @Nullable T value, String expected) {
    if (value == null) {
      throw new NullPointerException(name + ": null (expected: " + expected + ")");
    }
    return value;
  }

  static IllegalArgumentException bad(String name, Object value, String expected) {
    return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
  }

  static long atLeastZero(String name, long value) {
    if (value < 0) {
      throw bad(name, value, ">= 0");
    }
    return value;
  }
}
