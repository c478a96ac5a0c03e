package io.penstock.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.shard.OwnerOnly;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The file of a Unix socket, which outlives a server that was killed. Thread-safe.
 *
 * <p>A socket is made as the umask says, and can be used from then on. So it is bound in a folder
 * that nobody but its owner can enter, taken from everybody else, and then put in its place.
 */
public final class SocketFile {
  /** What the systems have in common; some take a few more. */
  private static final int PATH_BYTES_MAX = 103;

  /** Who was killed in the wrong moment leaves a folder. */
  private static final int FOLDERS_MAX = 100;

  private final Path path;
  private final Path folder;
  private @Nullable Path place;

  private SocketFile(Path path, Path folder) {
    this.path = path;
    this.folder = folder;
    this.place = bound();
  }

  /** Removes what a dead server left; refuses what is in use, or is something else. */
  public static SocketFile prepare(Path path) throws IOException {
    free(path);
    try {
      return new SocketFile(path, folder(path));
    } catch (IOException e) {
      throw ListenTrouble.of(path, e);
    }
  }

  private static void free(Path path) throws IOException {
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

  private static boolean answers(Path path) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return probe.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      return false;
    }
  }

  /** Beside the socket, so that it can be renamed; short, as paths of sockets have to be. */
  private static Path folder(Path path) throws IOException {
    for (int i = 0; i < FOLDERS_MAX; i++) {
      Path folder = path.resolveSibling(".u" + i);
      try {
        OwnerOnly.createNewFolder(folder);
        return folder;
      } catch (FileAlreadyExistsException e) {
        // Another server's, which starts or was killed: the next one.
      }
    }
    throw new FileAlreadyExistsException(path.resolveSibling(".u0").toString());
  }

  /** Where it is in the end. */
  public Path path() {
    return path;
  }

  /** Where it is to be bound. */
  public Path bound() {
    return folder.resolve("s");
  }

  /** Puts it in its place, once it is bound: from now on its owner can use it. */
  public synchronized void open() throws IOException {
    try {
      OwnerOnly.restrict(bound());
      Files.move(bound(), path);
      place = path;
      Files.delete(folder);
    } catch (IOException e) {
      throw ListenTrouble.of(path, e);
    }
  }

  /** Removes it, wherever it is; after that the next one there may be another server's. */
  public synchronized void remove() throws IOException {
    Path own = place;
    place = null;
    if (own != null) {
      Files.deleteIfExists(own);
    }
    if (bound().equals(own)) {
      Files.deleteIfExists(folder);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
