package io.penstock.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Why the disk fails, in a few words. Stateless.
 *
 * <p>Without the name of the file, which is another one each time: the same trouble is said once.
 * And without the path, which is nothing for whoever asks for health.
 */
final class DiskTrouble {
  private DiskTrouble() {}

  static String of(Throwable cause) {
    Throwable inner = cause instanceof UncheckedIOException io ? io.getCause() : cause;
    if (inner instanceof NoSuchFileException) {
      return "not there";
    }
    if (inner instanceof AccessDeniedException) {
      return "no permission";
    }
    String reason = reason(inner);
    return reason == null ? cause.getClass().getSimpleName() : reason;
  }

  private static @Nullable String reason(@Nullable Throwable cause) {
    return cause instanceof FileSystemException file
        ? file.getReason()
        : cause instanceof IOException io ? io.getMessage() : null;
  }
}
