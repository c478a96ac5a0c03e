package io.penstock.server;

import io.penstock.server.node.Node;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.zip.CRC32C;

/**
 * The secret under which the keys of a data folder are hashed: made once, then always the same, or
 * no counter would be found again.
 */
final class SecretFile {
  private static final String NAME = "secret.bin";
  private static final int FORMAT = 1;
  private static final int BYTES = Integer.BYTES + 2 * Long.BYTES + Long.BYTES;

  private SecretFile() {}

  /** Reads the secret of a folder, or makes one. */
  static Node.Secret of(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      write(file);
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.capacity() != BYTES
        || bytes.getInt() != FORMAT
        || bytes.getLong(BYTES - Long.BYTES) != checksum(bytes)) {
      throw new IOException(
          file
              + ": damaged (expected: "
              + BYTES
              + " bytes of format "
              + FORMAT
              + "); without it"
              + " no counter of the folder can be found, so restore it, or empty the folder");
    }
    return new Node.Secret(bytes.getLong(Integer.BYTES), bytes.getLong(Integer.BYTES + Long.BYTES));
  }

  private static void write(Path file) throws IOException {
    SecureRandom random = new SecureRandom();
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putInt(FORMAT).putLong(random.nextLong()).putLong(random.nextLong());
    bytes.putLong(checksum(bytes)).flip();
    Path draft = file.resolveSibling(NAME + ".draft");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(/* metaData= */ true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
        entries.force(/* metaData= */ true);
      }
    }
  }

  private static long checksum(ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes.array(), 0, BYTES - Long.BYTES);
    return sum.getValue();
  }
}
