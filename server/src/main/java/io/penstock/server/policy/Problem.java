package io.penstock.server.policy;

/**
 * One thing that is wrong with a document. Immutable.
 *
 * @param field where: {@code limits[1]}, or line and column where there is no field
 * @param value what is there, cut if it is long
 * @param expected what should be there; choices are listed
 */
public record Problem(String field, String value, String expected) {
  private static final int VALUE_CHARS_MAX = 100;
  private static final int CHARS_MAX = 500;

  public Problem {
    field = cut(field, CHARS_MAX);
    value = cut(value, VALUE_CHARS_MAX);
    expected = cut(expected, CHARS_MAX);
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  /** As one line: {@code limits[1]: 10/x (expected: …)}. */
  @Override
  public String toString() {
    return field + ": " + value + " (expected: " + expected + ")";
  }
}
