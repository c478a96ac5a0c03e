package io.penstock.server.http;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A field of a request that names keys; which of them a body may have depends on the endpoint. */
enum QuestionField {
  DOMAIN("domain", "a text"),
  DESCRIPTORS("descriptors", "a list of descriptors"),
  COST("cost", "an integer"),
  REQUEST_ID("requestId", "a text"),
  TTL("ttlMs", "an integer"),
  LEASE("leaseMs", "an integer"),
  LIMITS("limits", "a list of limits"),
  UNTIL("until", QuestionReader.INSTANT);

  /** What no question lacks. */
  static final Set<QuestionField> NEEDED = EnumSet.of(DOMAIN, DESCRIPTORS);

  static final Set<QuestionField> CHECK = EnumSet.of(DOMAIN, DESCRIPTORS, COST, REQUEST_ID);
  static final Set<QuestionField> RESERVE = EnumSet.of(DOMAIN, DESCRIPTORS, COST, REQUEST_ID, TTL);
  static final Set<QuestionField> ACQUIRE =
      EnumSet.of(DOMAIN, DESCRIPTORS, COST, REQUEST_ID, LEASE);
  static final Set<QuestionField> RESET = EnumSet.of(DOMAIN, DESCRIPTORS);
  static final Set<QuestionField> BLOCK = EnumSet.of(DOMAIN, DESCRIPTORS, UNTIL);
  static final Set<QuestionField> OVERRIDE = EnumSet.of(DOMAIN, DESCRIPTORS, LIMITS, UNTIL);

  private static final QuestionField[] ALL = values();

  private final String text;
  private final String expected;

  QuestionField(String text, String expected) {
    this.text = text;
    this.expected = expected;
  }

  String text() {
    return text;
  }

  /** What it should be, for whoever left it out. */
  String expected() {
    return expected;
  }

  /** The field of this name, to the letter; null if the body may not have it. */
  static @Nullable QuestionField of(String name, Set<QuestionField> known) {
    for (QuestionField field : ALL) {
      if (field.text.equals(name)) {
        return known.contains(field) ? field : null;
      }
    }
    return null;
  }

  static String names(Set<QuestionField> fields) {
    return fields.stream().map(QuestionField::text).collect(Collectors.joining(", "));
  }
}
