package io.penstock.server.policy;

/**
 * The document cannot be changed this way now: it comes from a file, which alone can change it, or
 * policies refer to it. Nothing has changed.
 */
public final class ReadOnlyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ReadOnlyException(String message) {
    super(message);
  }
}
