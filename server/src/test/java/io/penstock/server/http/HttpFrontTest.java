package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.statuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.Bounds;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpFrontTest {
  private static final String READY =
      "GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  @TempDir Path folder;

  private Rig rig(@Nullable Path uds) throws Exception {
    Path own = Files.createTempDirectory(folder, "rig");
    HttpSettings settings = Rig.settings(Bounds.defaults(), List.of(), uds);
    return new Rig(own, Gatekeeper.open(), settings);
  }

  private static String askUnix(Path path) throws Exception {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      channel.write(ByteBuffer.wrap(READY.getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer answer = ByteBuffer.allocate(4_096);
      while (channel.read(answer) >= 0) {
        assertThat(answer.hasRemaining()).isTrue();
      }
      return new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void start_withUnixSocket_answersAtBoth() throws Exception {
    Path path = folder.resolve("http.sock");
    try (Rig rig = rig(path)) {
      assertThat(statuses(askUnix(path))).containsExactly(200);
      assertThat(rig.get("/readyz").statusCode()).isEqualTo(200);
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void start_socketLeftBehind_isTakenOver() throws Exception {
    Path path = folder.resolve("http.sock");
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(path));
    }
    try (Rig rig = rig(path)) {
      assertThat(rig.front.port()).isPositive();
      assertThat(statuses(askUnix(path))).containsExactly(200);
      assertThatThrownBy(() -> rig(path))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("http.sock");
      assertThat(statuses(askUnix(path))).containsExactly(200);
    }
  }

  @Test
  void start_fileInThePlaceOfASocket_isLeftAlone() throws Exception {
    Path path = Files.writeString(folder.resolve("http.sock"), "precious");
    assertThatThrownBy(() -> rig(path))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("http.sock");
    assertThat(path).hasContent("precious");
  }

  @Test
  void start_portInUse_saysSo() throws Exception {
    try (Rig rig = rig(/* uds= */ null)) {
      HttpSettings same = HttpSettings.local(rig.front.port());
      assertThatThrownBy(() -> new Rig(folder, Gatekeeper.open(), same))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("http-port: " + rig.front.port() + " (expected: a free port");
    }
  }

  @Test
  void stopAccepting_idleConnection_isClosedAndNoneIsTaken() throws Exception {
    try (Rig rig = rig(/* uds= */ null);
        RawSocket idle = new RawSocket(rig.front.port())) {
      idle.send(READY.replace("close", "keep-alive")).readUntil("ready\n");
      rig.front.stopAccepting();
      assertThat(idle.readToEnd()).isEmpty();
      rig.front.close();
      assertThatThrownBy(() -> new RawSocket(rig.front.port()))
          .isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void close_thenStart_takesTheSamePortAgain() throws Exception {
    int port;
    try (Rig rig = rig(/* uds= */ null);
        RawSocket open = new RawSocket(rig.front.port())) {
      open.send(READY).readToEnd();
      port = rig.front.port();
    }
    try (Rig rig = new Rig(folder, Gatekeeper.open(), HttpSettings.local(port))) {
      assertThat(rig.get("/readyz").statusCode()).isEqualTo(200);
    }
  }
}
