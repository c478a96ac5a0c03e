package io.penstock.server.policy;

import io.penstock.core.policy.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a document may be called: a policy by its scope, a tier by a short text. */
final class DocumentName {
  private static final int TIER_CHARS_MAX = 128;

  private DocumentName() {}

  /** What is wrong with a name; null if it can be used. */
  static @Nullable Problem problem(Kind kind, String name) {
    if (kind == Kind.TIER) {
      boolean good = !name.isEmpty() && name.length() <= TIER_CHARS_MAX && isPlain(name);
      String expected = "1.." + TIER_CHARS_MAX + " characters, no control characters";
      return good ? null : new Problem("tier", name, expected);
    }
    try {
      Scope.parse(name);
      return null;
    } catch (IllegalArgumentException e) {
      return new Problem("scope", name, CoreErrors.expected(e, "scope"));
    }
  }

  private static boolean isPlain(String name) {
    return name.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  static void check(Kind kind, String name) {
    Problem problem = problem(kind, name);
    if (problem != null) {
      throw new InvalidPolicyException(List.of(problem));
    }
  }
}
