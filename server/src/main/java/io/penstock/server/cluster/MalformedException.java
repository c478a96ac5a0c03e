package io.penstock.server.cluster;

/** Bytes that no node of this version writes. */
final class MalformedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedException(String name, Object value, String expected) {
    super(name + ": " + value + " (expected: " + expected + ")");
  }

  MalformedException(String name, RuntimeException cause) {
    super(name + ": " + cause.getMessage(), cause);
  }
}
