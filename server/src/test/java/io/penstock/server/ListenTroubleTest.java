package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.shard.FolderLock;
import io.penstock.testkit.LogLines;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server says that cannot listen where it should. */
class ListenTroubleTest {
  @TempDir Path folder;

  private void refused(Map<Setting, String> given, String message) {
    Map<Setting, String> flags = new EnumMap<>(Setting.class);
    flags.put(Setting.HTTP_PORT, "0");
    flags.put(Setting.GRPC_PORT, "0");
    flags.put(Setting.RESP_PORT, "0");
    flags.put(Setting.DATA, folder.resolve("data").toString());
    flags.putAll(given);
    try (Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()))) {
      assertThatThrownBy(server::start).hasMessage(message);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Setting.class,
      names = {"HTTP_PORT", "GRPC_PORT", "RESP_PORT"})
  void port_inUse_isNamedByItsSetting(Setting setting) throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(other.getLocalPort());
      refused(
          Map.of(setting, port), setting.key() + ": " + port + " (expected: a free port; in use)");
    }
  }

  /** Nobody has heard that this port cannot be had: it was not tried. */
  @Test
  void dataFolder_ofAnotherServer_isRefusedBeforeAnyPortIsOpened() throws Exception {
    Path data = folder.resolve("data");
    Logger logger = Logger.getLogger(Fronts.class.getName());
    logger.setLevel(Level.ALL);
    try (FolderLock lock = FolderLock.take(data);
        LogLines log = new LogLines(Fronts.class.getName(), Level.ALL);
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(lock).isNotNull();
      refused(
          Map.of(Setting.HTTP_PORT, String.valueOf(other.getLocalPort())),
          "data: " + data + " (expected: a folder no other server uses)");
      assertThat(log.lines()).isEmpty();
    } finally {
      logger.setLevel(null);
    }
  }

  /** An address that is kept for documents, so nobody's. */
  @Test
  void host_ofAnotherMachine_isNamed() {
    refused(
        Map.of(Setting.HOST, "192.0.2.1", Setting.INSECURE, "true"),
        "host: 192.0.2.1 (expected: an address of this machine)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".grpc", ".resp"})
  void socket_whereSomethingElseIs_isNamedAndLeft(String suffix) throws Exception {
    Path uds = folder.resolve("s");
    Path file = Files.writeString(Path.of(uds + suffix), "precious");
    refused(
        Map.of(Setting.UDS, uds.toString()),
        "uds: " + file + " (expected: no file, or an old socket)");
    assertThat(file).hasContent("precious");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".grpc", ".resp"})
  void socket_ofAnotherServer_isNamedAndLeft(String suffix) throws Exception {
    Path uds = folder.resolve("s");
    Path used = Path.of(uds + suffix);
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(used));
      refused(
          Map.of(Setting.UDS, uds.toString()),
          "uds: " + used + " (expected: one that no server uses)");
      assertThat(used).exists();
    }
  }

  @Test
  void socket_inNoFolderOrTooLong_isNamed() {
    Path lost = folder.resolve("none/s");
    refused(
        Map.of(Setting.UDS, lost.toString()),
        "uds: " + lost + " (expected: a path in a folder that is there)");
    Path large = folder.resolve("s".repeat(100));
    refused(
        Map.of(Setting.UDS, large.toString()),
        "uds: " + large + " (expected: at most 103 bytes, not " + large.toString().length() + ")");
  }

  /** Only in words: whoever runs this may be allowed everything. */
  @ParameterizedTest
  @CsvSource({
    "Permission denied, 'a port you may take; permission denied'",
    "Out of luck, a port that can be listened at"
  })
  void port_refusedOtherwise_isNamed(String said, String expected) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
    assertThat(ListenTrouble.of("http", address, new BindException(said)))
        .hasMessage("http-port: 80 (expected: " + expected + ")");
  }

  @ParameterizedTest
  @CsvSource({
    "Permission denied, a folder you may write in; permission denied",
    "Out of luck, a path at which a socket can be made"
  })
  void socket_refusedOtherwise_isNamed(String said, String expected) {
    assertThat(ListenTrouble.of(Path.of("/s"), new BindException(said)))
        .hasMessage("uds: /s (expected: " + expected + ")");
  }
}
