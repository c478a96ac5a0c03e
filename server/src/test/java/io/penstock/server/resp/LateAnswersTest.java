package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.LateNode;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers and errors that come after the command that asked, among others that do not. */
class LateAnswersTest {
  private static final String THROTTLE = RespClient.array("CL.THROTTLE", "k", "15", "30", "60");

  private final LateNode node = new LateNode(Nodes.inMemory());
  private RespServer server;
  private RespClient client;

  @BeforeEach
  void start() throws IOException {
    server = RespServer.start(RespClient.local(), node, Gatekeeper.open(), new RespStats());
    client = new RespClient(server.port());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    node.close();
  }

  @Test
  void commands_late_areAnsweredInOrder() throws IOException {
    client.send(
        THROTTLE + "PING\r\n" + THROTTLE + "DEL k other\r\n" + "PENSTOCK.CHECK api user 1\r\n");

    assertThat(client.read()).isEqualTo("[:0, :16, :15, :-1, :2]");
    assertThat(client.read()).isEqualTo("+PONG");
    assertThat(client.read()).isEqualTo("[:0, :16, :14, :-1, :4]");
    assertThat(client.read()).isEqualTo(":1");
    assertThat(client.read()).contains("no-policy");
  }

  @Test
  void commands_nobodyAnswers_areErrorsThatSayWhy() throws IOException {
    node.goAway();
    client.send(THROTTLE + "DEL k other\r\n" + "PENSTOCK.CHECK api user 1\r\n" + "PING\r\n");

    for (int i = 0; i < 3; i++) {
      assertThat(client.read()).isEqualTo("-ERR " + LateNode.GONE);
    }
    assertThat(client.read()).isEqualTo("+PONG");
  }
}
