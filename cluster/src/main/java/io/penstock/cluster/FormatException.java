package io.penstock.cluster;

/** What another version of this program has written, here or on the node that was asked. */
final class FormatException extends RuntimeException {
  private static final long serialVersionUID = 1;

  FormatException(String message) {
    super(message);
  }
}
