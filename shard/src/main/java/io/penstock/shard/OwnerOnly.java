package io.penstock.shard;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files and folders that nobody but their owner can read, from their beginning on. Stateless.
 *
 * <p>Where a file system knows no permissions, they are as it makes them.
 */
public final class OwnerOnly {
  private OwnerOnly() {}

  /** Makes a folder, and those it is in, unless they are there. */
  public static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, permissions(folder, "rwx------"));
  }

  /** Makes a folder that must not be there yet, so that nobody else has made it. */
  public static void createNewFolder(Path folder) throws IOException {
    Files.createDirectory(folder, permissions(folder, "rwx------"));
  }

  /** Makes an empty file, unless it is there. */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, permissions(file, "rw-------"));
    } catch (FileAlreadyExistsException e) {
      // It stays whose it is.
      return;
    }
  }

  /** Takes a file that was made in another way from everybody else. */
  public static void restrict(Path file) throws IOException {
    if (knowsPermissions(file)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  private static FileAttribute<?>[] permissions(Path path, String text) {
    return knowsPermissions(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean knowsPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
