package io.penstock.core;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one form of an argument error: {@code name: value (expected: what)}. */
final class Checks {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

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

  static long atLeast(String name, long value, long min) {
    if (value < min) {
      throw bad(name, value, ">= " + min);
    }
    return value;
  }

  static long between(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw bad(name, value, min + ".." + max);
    }
    return value;
  }

  /** That there are checks to be decided together, and none is missing. */
  static void together(List<Check> checks) {
    atLeast("checks", given("checks", checks, "one or more").size(), 1);
    for (int i = 0; i < checks.size(); i++) {
      given("checks[" + i + "]", checks.get(i), "a check");
    }
  }

  /** The algorithm that counts a limit of a policy: one of your own may forget what it must say. */
  static Algorithm counting(Policy policy, Limit limit) {
    Algorithm algorithm = policy.algorithmOf(limit);
    String own = algorithm.getClass().getName();
    given("name of " + own, algorithm.name(), "a text");
    given("shape of " + own, algorithm.shape(limit), "ONE_WORD, THREE_WORDS or LOG");
    return algorithm;
  }

  /** A duration in nanoseconds, at most about 292 years: longer ones are as good as for ever. */
  static long nanos(String name, Duration duration) {
    if (given(name, duration, "a duration").isNegative()) {
      throw bad(name, duration, ">= 0");
    }
    return duration.toSeconds() >= Long.MAX_VALUE / NANOS_PER_SECOND
        ? Long.MAX_VALUE
        : duration.toNanos();
  }
}
