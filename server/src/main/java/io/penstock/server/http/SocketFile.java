package io.penstock.server.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The file of a Unix socket, which outlives a server that was killed. Stateless. */
final class SocketFile {
  private SocketFile() {}

  /** Removes a socket that nobody listens at any more; refuses anything else in its place. */
  static void makeRoom(@Nullable Path path) throws IOException {
    if (path == null || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    BasicFileAttributes found =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isOther()) {
      throw new IOException("uds: " + path + " (expected: no file, or a socket left behind)");
    }
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new IOException("uds: " + path + " (expected: one that nobody listens at)");
    } catch (ConnectException e) {
      Files.delete(path);
    }
  }

  static void remove(@Nullable Path path) throws IOException {
    if (path != null) {
      Files.deleteIfExists(path);
    }
  }
}
