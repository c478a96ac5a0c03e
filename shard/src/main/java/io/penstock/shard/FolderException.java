package io.penstock.shard;

/** Says why a data folder cannot be used; the message is for whoever started the server. */
public final class FolderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FolderException(String message) {
    super(message);
  }

  FolderException(String message, Throwable cause) {
    super(message, cause);
  }
}
