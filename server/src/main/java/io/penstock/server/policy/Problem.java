package io.penstock.server.policy;

/**
 * One thing that is wrong with a document. Immutable.
 *
 * @param field where: {@code limits[1]}, or line and column where there is no field
 * @param value what is there, cut if it is long
 * @param expected what should be there; choices are listed
 */
public record Problem(String field, String value, String expected) {
  /** As one line: {@code limits[1]: 10/x (expected: …)}. */
  @Override
  public String toString() {
    return field + ": " + value + " (expected: " + expected + ")";
  }
}
