package io.penstock.server.policy;

/** Takes apart the one form of the core's errors: {@code name: value (expected: what)}. */
final class CoreErrors {
  private static final String EXPECTED = " (expected: ";

  private CoreErrors() {}

  /** What was expected; with the name before it if that is not the one we call it by. */
  static String expected(IllegalArgumentException error, String own) {
    String message = String.valueOf(error.getMessage());
    int colon = message.indexOf(": ");
    int start = message.lastIndexOf(EXPECTED);
    if (colon < 0 || start < 0) {
      return message;
    }
    String name = message.substring(0, colon);
    String expected = message.substring(start + EXPECTED.length(), message.length() - 1);
    return name.equals(own) ? expected : name + ": " + expected;
  }
}
