package io.penstock.server.resp;

import static io.penstock.server.resp.RespClient.array;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.Bounds;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RespBoundsTest {
  private static final RespOptions OPTIONS = RespClient.local();

  @TempDir Path folder;

  private final RespStats stats = new RespStats();

  private RespServer start(RespOptions options) throws IOException {
    return RespServer.start(options, Nodes.inMemory(), Gatekeeper.open(), stats);
  }

  private static Bounds connections(int max) {
    Bounds d = Bounds.defaults();
    return new Bounds(
        d.headBytes(),
        d.bodyBytes(),
        d.descriptors(),
        d.entries(),
        d.keyLength(),
        d.valueLength(),
        d.requestIdLength(),
        d.checks(),
        max,
        d.idleSeconds(),
        d.pipelined());
  }

  @Test
  void connection_oneTooMany_isToldWhyAndClosed() throws IOException {
    try (RespServer server = start(OPTIONS.withBounds(connections(1)));
        RespClient first = new RespClient(server.port())) {
      assertThat(first.call("PING")).isEqualTo("+PONG");
      try (RespClient second = new RespClient(server.port())) {
        assertThat(second.read()).isEqualTo("-ERR max number of clients reached");
        assertThat(second.read()).isEqualTo("EOF");
      }
      assertThat(stats.turnedAway()).isEqualTo(1);
      assertThat(first.call("QUIT")).isEqualTo("+OK");
      assertThat(first.read()).isEqualTo("EOF");
    }
    assertThat(stats.connections()).isZero();
  }

  @Test
  void connection_noWholeCommandForTooLong_isClosed() throws IOException {
    try (RespServer server = start(OPTIONS.withIdle(Duration.ofMillis(100)));
        RespClient client = new RespClient(server.port())) {
      client.send("*1\r\n$4\r\nPI");

      assertThat(client.read()).isEqualTo("EOF");
    }
  }

  @Test
  void client_thatDoesNotRead_isNotReadFrom() throws Exception {
    RespOptions oneLoop =
        new RespOptions(OPTIONS.address(), null, null, Bounds.defaults(), OPTIONS.idle(), 1);
    int commands = 20_000;
    try (RespServer server = start(oneLoop);
        RespClient client = new RespClient(server.port());
        RespClient other = new RespClient(server.port())) {
      // The answers, 30 MB, are more than two sockets hold; the commands are not.
      client.send(array("COMMAND", "DOCS").repeat(commands));
      for (int i = 0; i < 100; i++) {
        assertThat(other.call("PING")).isEqualTo("+PONG");
      }
      assertThat(stats.calls().get("command")).isLessThan(commands);

      String first = client.read();
      for (int i = 1; i < commands; i++) {
        assertThat(client.read()).isEqualTo(first);
      }
    }
  }

  @Test
  void socket_leftByADeadServer_isTakenOver() throws IOException {
    Path path = folder.resolve("resp.sock");
    ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    dead.bind(UnixDomainSocketAddress.of(path)).close();
    assertThat(path).exists();

    try (RespServer server = start(OPTIONS.withSocket(path));
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      channel.write(ByteBuffer.wrap("PING\r\n".getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer answer = ByteBuffer.allocate(7);
      while (answer.hasRemaining() && channel.read(answer) >= 0) {}
      assertThat(answer.array()).asString().isEqualTo("+PONG\r\n");
      assertThatThrownBy(() -> start(OPTIONS.withSocket(path)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("resp.sock");
      assertThat(server.port()).isPositive();
    }
  }

  @Test
  void socket_fileOfSomebody_isNotTouched() throws IOException {
    Path path = Files.writeString(folder.resolve("notes.txt"), "mine");

    assertThatThrownBy(() -> start(OPTIONS.withSocket(path))).hasMessageContaining("notes.txt");
    assertThat(path).hasContent("mine");
  }

  @Test
  void start_portTaken_isRefusedByName() throws IOException {
    try (RespServer server = start(OPTIONS)) {
      RespOptions same = RespClient.local(server.port());

      assertThatThrownBy(() -> start(same)).hasMessageContaining("resp-port: ");
    }
  }
}
