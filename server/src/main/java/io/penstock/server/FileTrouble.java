package io.penstock.server;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Why a file cannot be read, for everybody to know: without its path, which only the log may tell.
 * Stateless.
 */
public final class FileTrouble {
  private FileTrouble() {}

  /** In a few words. */
  public static String of(IOException error) {
    if (error instanceof NoSuchFileException) {
      return "not there";
    }
    if (error instanceof AccessDeniedException) {
      return "no permission";
    }
    String reason = error instanceof FileSystemException file ? file.getReason() : null;
    return reason == null ? "cannot be read" : reason;
  }
}
