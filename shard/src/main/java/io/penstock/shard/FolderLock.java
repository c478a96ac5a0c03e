package io.penstock.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The right to use a folder, which one process has at a time. Thread-safe. */
public final class FolderLock implements Closeable {
  private final FileChannel channel;
  private final FileIdentity file;

  private FolderLock(FileChannel channel, FileIdentity file) {
    this.channel = channel;
    this.file = file;
  }

  /** Takes the right, or says who cannot have it and why. */
  public static FolderLock take(Path folder) {
    Path file = folder.resolve("lock");
    FileChannel channel;
    try {
      OwnerOnly.createFolder(folder);
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw unwritable(folder, e);
    }
    try {
      if (tryLock(channel) != null) {
        return new FolderLock(channel, FileIdentity.of(file));
      }
      channel.close();
    } catch (IOException e) {
      throw unwritable(folder, e);
    }
    throw new FolderException("data: " + folder + " (expected: a folder no other server uses)");
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Whether the folder of which this is the right is still at its path; another one may be. */
  boolean isInPlace() {
    return file.isInPlace();
  }

  static FolderException unwritable(Path folder, IOException cause) {
    return new FolderException(
        "data: " + folder + " (expected: a folder that can be read and written: " + cause + ")",
        cause);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      System.getLogger(FolderLock.class.getName())
          .log(System.Logger.Level.WARNING, "the lock of a folder could not be closed", e);
    }
  }
}
