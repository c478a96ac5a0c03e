package io.penstock.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that is there whole, and still after a loss of power, or not at all. Stateless. */
public final class SyncedFile {
  private SyncedFile() {}

  /** Makes a draft in the same folder the file, on disk and in place of what was there. */
  public static void publish(Path draft, Path file) throws IOException {
    sync(draft, StandardOpenOption.WRITE);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      sync(folder, StandardOpenOption.READ);
    }
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(/* metaData= */ true);
    }
  }
}
