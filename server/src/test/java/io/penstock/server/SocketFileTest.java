package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may use a Unix socket, and from when on. */
class SocketFileTest {
  @TempDir Path folder;

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static ServerSocketChannel bind(SocketFile file) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(file.bound()));
  }

  @Test
  void server_everySocket_isForItsOwnerOnlyAndIsRemoved(@TempDir Path data) throws Exception {
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.UDS, folder.resolve("s").toString(),
            Setting.DATA, data.toString());
    try (Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()))) {
      server.start();
      assertThat(files()).containsExactly("s", "s.grpc", "s.resp");
      for (String file : files()) {
        Path socket = folder.resolve(file);
        assertThat(permissions(socket)).as(file).isEqualTo("rw-------");
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
          assertThat(client.isConnected()).as(file).isTrue();
        }
      }
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void socket_untilItIsOpen_isWhereOnlyItsOwnerGets() throws IOException {
    SocketFile file = SocketFile.prepare(folder.resolve("s"));
    assertThat(permissions(folder.resolve(".u0"))).isEqualTo("rwx------");
    try (ServerSocketChannel server = bind(file)) {
      assertThat(server.isOpen()).isTrue();
      assertThat(file.path()).doesNotExist();
      file.open();
      assertThat(permissions(file.path())).isEqualTo("rw-------");
      assertThat(files()).containsExactly("s");
    }
    file.remove();
    assertThat(files()).isEmpty();
  }

  /** A folder that somebody else has made could be anybody's. */
  @Test
  void prepare_folderThatIsThere_takesAnother() throws IOException {
    Files.createDirectory(folder.resolve(".u0"));
    SocketFile file = SocketFile.prepare(folder.resolve("s"));
    assertThat(file.bound()).isEqualTo(folder.resolve(".u1/s"));
    file.remove();
    assertThat(files()).containsExactly(".u0");
  }

  @Test
  void open_whereSomebodyWasFaster_leavesWhatIsThere() throws IOException {
    SocketFile file = SocketFile.prepare(folder.resolve("s"));
    try (ServerSocketChannel server = bind(file)) {
      assertThat(server.isOpen()).isTrue();
      Files.writeString(file.path(), "precious");
      assertThatThrownBy(file::open)
          .hasMessage("uds: " + file + " (expected: a path at which a socket can be made)");
    }
    file.remove();
    assertThat(file.path()).hasContent("precious");
    assertThat(files()).containsExactly("s");
  }

  @Test
  void remove_again_leavesTheNextServersFile() throws IOException {
    SocketFile file = SocketFile.prepare(folder.resolve("s"));
    bind(file).close();
    file.open();
    file.remove();
    Files.writeString(file.path(), "the next one");
    file.remove();
    assertThat(file.path()).hasContent("the next one");
  }
}
