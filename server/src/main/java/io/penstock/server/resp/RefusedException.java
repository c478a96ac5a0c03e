package io.penstock.server.resp;

/** A command is refused; the message is the error line that the client gets. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Refuses a command.
   *
   * @param line starts with the kind of error: {@code ERR …}; may hold text of the client's
   */
  RefusedException(String line) {
    super(
        Clean.line(line),
        /* cause= */ null,
        /* enableSuppression= */ false,
        /* writableStackTrace= */ false);
  }

  /** The refusal of a value: what it is called, what it is, and what was expected. */
  static RefusedException value(String name, String value, String expected) {
    return new RefusedException(
        "ERR " + name + ": " + Clean.cut(value) + " (expected: " + expected + ")");
  }

  /** The line of the answer. */
  String line() {
    return String.valueOf(getMessage());
  }
}
