package io.penstock.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which file lay at a path. Immutable.
 *
 * <p>Whoever writes to a file that is open does not notice that it was deleted, or moved away. As
 * long as it is open no other file gets its key.
 *
 * @param key what the file system knows it by; null where it does not tell, and any file will do
 */
public record FileIdentity(Path path, @Nullable Object key) {
  /** That of the file which is there now. */
  public static FileIdentity of(Path path) throws IOException {
    return new FileIdentity(path, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
  }

  /** Whether the same file is there still, or again. */
  public boolean isInPlace() {
    try {
      return Objects.equals(key, of(path).key);
    } catch (IOException e) {
      return false;
    }
  }
}
