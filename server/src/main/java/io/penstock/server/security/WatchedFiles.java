package io.penstock.server.security;

import io.penstock.server.FileTrouble;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What some small files say together, read again when one of them changes: a bad change leaves what
 * was there before. Thread-safe; {@link #poll} belongs to one thread.
 *
 * <p>Contents are compared, not times: that also sees files that are swapped by a link, and two
 * changes within one tick of the file system.
 */
public final class WatchedFiles<T> {
  private static final int BYTES_MAX = 4 << 20;

  private final List<Path> paths;
  private final Function<List<byte[]>, T> parser;
  private List<byte[]> contents;
  private volatile T value;
  private volatile @Nullable String trouble;

  private WatchedFiles(
      List<Path> paths, Function<List<byte[]>, T> parser, List<byte[]> contents, T value) {
    this.paths = paths;
    this.parser = parser;
    this.contents = contents;
    this.value = value;
  }

  /**
   * Reads the files for the first time.
   *
   * @param parser throws {@link IllegalArgumentException} for contents that are wrong; its message
   *     holds no secret
   */
  static <T> WatchedFiles<T> open(List<Path> paths, Function<List<byte[]>, T> parser) {
    try {
      List<byte[]> contents = read(paths);
      return new WatchedFiles<>(List.copyOf(paths), parser, contents, parser.apply(contents));
    } catch (IOException | IllegalArgumentException bad) {
      throw new IllegalArgumentException(paths + ": " + reason(bad), bad);
    }
  }

  public T value() {
    return value;
  }

  /** Why the newest contents are not in force, without paths; null if they are. */
  public @Nullable String trouble() {
    return trouble;
  }

  public List<Path> paths() {
    return paths;
  }

  /** Reads the files again; true if there is a new value, or new trouble. */
  boolean poll() {
    String before = trouble;
    try {
      List<byte[]> now = read(paths);
      if (same(now, contents)) {
        return false;
      }
      contents = now;
      value = parser.apply(now);
      trouble = null;
      return true;
    } catch (IOException unreadable) {
      // A file that comes back as it was is news too.
      contents = List.of();
      trouble = told(unreadable);
    } catch (IllegalArgumentException wrong) {
      trouble = told(wrong);
    }
    return !trouble.equals(before);
  }

  private static List<byte[]> read(List<Path> paths) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (Path path : paths) {
      if (Files.size(path) > BYTES_MAX) {
        throw new FileSystemException(
            path.toString(), /* other= */ null, "larger than " + BYTES_MAX + " bytes");
      }
      contents.add(Files.readAllBytes(path));
    }
    return contents;
  }

  private static boolean same(List<byte[]> some, List<byte[]> others) {
    return Arrays.deepEquals(some.toArray(), others.toArray());
  }

  /** Whoever knows the configuration knows the folders. */
  private String told(Exception problem) {
    return paths.stream().map(path -> String.valueOf(path.getFileName())).toList()
        + ": "
        + reason(problem);
  }

  private static String reason(Exception problem) {
    return problem instanceof IOException unreadable
        ? FileTrouble.of(unreadable)
        : String.valueOf(problem.getMessage());
  }
}
