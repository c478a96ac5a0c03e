package io.penstock.server;

import io.penstock.server.node.Node;
import io.penstock.shard.OwnerOnly;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The secret under which the keys of a data folder are hashed: made once, then always the same, or
 * no counter would be found again. It is in its file twice, so that damage to one does no harm.
 * Only the owner can read it: whoever knows it can make keys that collide.
 */
final class SecretFile {
  private static final Logger LOG = System.getLogger(SecretFile.class.getName());
  static final String NAME = "secret.bin";
  static final int FORMAT = 1;
  private static final int COPIES = 2;
  private static final int CHECKED_BYTES = Integer.BYTES + 2 * Long.BYTES;
  private static final int COPY_BYTES = CHECKED_BYTES + Long.BYTES;

  private SecretFile() {}

  /** Reads the secret of a folder, or makes one; notes if one was there and cannot be read. */
  static Node.Secret of(Path folder, Inventory inventory) throws IOException {
    Path file = folder.resolve(NAME);
    if (Files.exists(file)) {
      restrict(file);
      byte[] content = Files.readAllBytes(file);
      Node.Secret secret = read(file, content);
      if (secret != null) {
        if (!Arrays.equals(content, copies(secret))) {
          repair(file, secret);
        }
        return secret;
      }
      Path aside = file.resolveSibling(NAME + ".damaged");
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      LOG.log(
          Level.ERROR,
          "{0}: damaged, and kept as {1}; what keys have used before is discarded, since without"
              + " this secret it cannot be found. Policies are not concerned.",
          file,
          aside);
      inventory.addDamage(
          NAME, "what keys had used, blocks and overrides cannot be found again and are lost");
    }
    SecureRandom random = new SecureRandom();
    Node.Secret made = new Node.Secret(random.nextLong(), random.nextLong());
    write(file, made);
    return made;
  }

  /** A file of another user that can be read is good enough to go on with. */
  private static void restrict(Path file) {
    try {
      OwnerOnly.restrict(file);
    } catch (IOException e) {
      LOG.log(Level.WARNING, file + ": its permissions cannot be changed, others may read it", e);
    }
  }

  /** The next damage may be to the copy that is whole. One is enough to go on with. */
  private static void repair(Path file, Node.Secret secret) {
    try {
      write(file, secret);
      LOG.log(
          Level.WARNING,
          "{0}: one of its two copies was damaged; it is written anew from the other one",
          file);
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          file + ": one of its two copies is damaged, and cannot be written anew",
          e);
    }
  }

  private static Node.@Nullable Secret read(Path file, byte[] content) throws IOException {
    for (int from = 0; from + COPY_BYTES <= content.length; from += COPY_BYTES) {
      ByteBuffer copy = ByteBuffer.wrap(content, from, COPY_BYTES);
      int format = copy.getInt();
      Node.Secret secret = new Node.Secret(copy.getLong(), copy.getLong());
      boolean isWhole = copy.getLong() == checksum(content, from);
      if (isWhole && format != FORMAT) {
        throw new IOException(
            file + ": format " + format + " (expected: " + FORMAT + "; another version wrote it)");
      }
      if (isWhole) {
        return secret;
      }
    }
    return null;
  }

  private static byte[] copies(Node.Secret secret) {
    byte[] content = new byte[COPIES * COPY_BYTES];
    ByteBuffer bytes = ByteBuffer.wrap(content);
    for (int i = 0; i < COPIES; i++) {
      bytes.putInt(FORMAT).putLong(secret.first()).putLong(secret.second());
      bytes.putLong(checksum(content, i * COPY_BYTES));
    }
    return content;
  }

  private static void write(Path file, Node.Secret secret) throws IOException {
    Path draft = file.resolveSibling(NAME + ".draft");
    Files.deleteIfExists(draft);
    OwnerOnly.createFile(draft);
    Files.write(draft, copies(secret));
    SyncedFile.publish(draft, file);
  }

  private static long checksum(byte[] content, int from) {
    CRC32C sum = new CRC32C();
    sum.update(content, from, CHECKED_BYTES);
    return sum.getValue();
  }
}
