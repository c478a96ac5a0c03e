package io.penstock.server.policy;

/** The document comes from a file, and only the file can change it. */
public final class ReadOnlyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ReadOnlyException(String message) {
    super(message);
  }
}
