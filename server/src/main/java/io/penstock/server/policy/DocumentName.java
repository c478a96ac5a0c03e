package io.penstock.server.policy;

import java.util.List;

/** What a document may be called. */
final class DocumentName {
  private static final int SCOPE_CHARS_MAX = 1_024;
  private static final int TIER_CHARS_MAX = 128;

  private DocumentName() {}

  static void check(Kind kind, String name) {
    int most = kind == Kind.POLICY ? SCOPE_CHARS_MAX : TIER_CHARS_MAX;
    if (name.isEmpty() || name.length() > most) {
      String field = kind == Kind.POLICY ? "scope" : "tier";
      throw new InvalidPolicyException(
          List.of(new Problem(field, name, "1.." + most + " characters")));
    }
  }
}
