package io.penstock.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The file of a Unix socket, which outlives a server that was killed. Stateless. */
public final class SocketFile {
  /** What the systems have in common; some take a few more. */
  private static final int PATH_BYTES_MAX = 103;

  private SocketFile() {}

  /** Removes what a dead server left; refuses what is in use, or is something else. */
  public static void free(@Nullable Path path) throws IOException {
    if (path == null) {
      return;
    }
    checkPath(path);
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .isOther()) {
      throw new IOException("uds: " + path + " (expected: no file, or an old socket)");
    }
    if (answers(path)) {
      throw new IOException("uds: " + path + " (expected: one that no server uses)");
    }
    Files.delete(path);
  }

  private static void checkPath(Path path) throws IOException {
    int bytes = path.toString().getBytes(UTF_8).length;
    if (bytes > PATH_BYTES_MAX) {
      String expected = " (expected: at most " + PATH_BYTES_MAX + " bytes, not " + bytes + ")";
      throw new IOException("uds: " + path + expected);
    }
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException("uds: " + path + " (expected: a path in a folder that is there)");
    }
  }

  /** Removes the file of a server that ends. */
  public static void remove(@Nullable Path path) throws IOException {
    if (path != null) {
      Files.deleteIfExists(path);
    }
  }

  private static boolean answers(Path path) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return probe.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      return false;
    }
  }
}
