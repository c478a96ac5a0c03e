package io.penstock.server.policy;

import java.nio.file.Path;

/** The file of the documents cannot be read or written now; what was asked has not been done. */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StoreUnavailableException(Path file, Exception cause) {
    super(file + ": " + cause.getMessage() + " (expected: a file that can be written)", cause);
  }
}
