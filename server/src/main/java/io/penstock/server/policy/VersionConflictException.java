package io.penstock.server.policy;

/** The document is not at the version the writer believed; nothing has changed. */
public final class VersionConflictException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public VersionConflictException(String message) {
    super(message);
  }
}
