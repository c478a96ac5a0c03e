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

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the right, or says who cannot have it and why. */
  public static FolderLock take(Path folder) {
    FileChannel channel;
    try {
      OwnerOnly.createFolder(folder);
      channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw unwritable(folder, e);
    }
    try {
      if (tryLock(channel) != null) {
        return new FolderLock(channel);
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
