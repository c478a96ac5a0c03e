package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Takes ten seconds: that is how long a command may take to come. */
class HalfSentIT {
  @Test
  void connection_halfACommand_isClosedLongBeforeAnIdleOne() throws IOException {
    RespOptions options = RespClient.local().withIdle(Duration.ofHours(1));
    try (RespServer server =
            RespServer.start(options, Nodes.inMemory(), Gatekeeper.open(), new RespStats());
        RespClient idle = new RespClient(server.port());
        RespClient half = new RespClient(server.port())) {
      assertThat(idle.call("PING")).isEqualTo("+PONG");
      assertThat(half.call("PING")).isEqualTo("+PONG");

      half.send("*1\r\n$4\r\nPI");

      assertThat(half.read()).isEqualTo("EOF");
      assertThat(idle.call("PING")).isEqualTo("+PONG");
    }
  }
}
