package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.security.Gatekeeper;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that wait for the disk, among others that need not. */
class StrictOrderTest {
  private static final int CHECKS = 3_000;
  private static final String CHECK = RespClient.array("PENSTOCK.CHECK", "api", "user", "a");

  @TempDir Path folder;

  private Shard shard;
  private RespServer server;
  private RespClient client;

  @BeforeEach
  void start() throws IOException {
    ManualClock clock = new ManualClock();
    shard = Shard.open(ShardOptions.of(folder, clock, 16 << 20));
    Node node = new LocalNode("n1", shard, new Node.Secret(1, 2));
    Nodes.put(node, "api/user", "{\"limits\":[\"1000000/day\"],\"consistency\":\"strict\"}");
    server = RespServer.start(RespClient.local(), node, Gatekeeper.open(), new RespStats());
    client = new RespClient(server.port());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    shard.close();
  }

  private static String answer(int number) {
    return "[:0, :1000000, :" + (1_000_000 - number) + ", ";
  }

  @Test
  void pipeline_strictAmongOthers_isAnsweredInOrder() throws IOException {
    StringBuilder commands = new StringBuilder();
    for (int i = 1; i <= CHECKS; i++) {
      commands.append(CHECK).append("ECHO ").append(i).append("\r\n");
    }
    CompletableFuture<Void> sent = client.sendAsync(commands.toString());

    for (int i = 1; i <= CHECKS; i++) {
      assertThat(client.read()).startsWith(answer(i)).contains("strict");
      assertThat(client.read()).isEqualTo("" + i);
    }
    sent.join();
  }

  @Test
  void quit_behindAnswersThatWait_isAnsweredLast() throws IOException {
    client.send(CHECK.repeat(100) + "QUIT\r\nPING\r\n");

    for (int i = 1; i <= 100; i++) {
      assertThat(client.read()).startsWith(answer(i));
    }
    assertThat(client.read()).isEqualTo("+OK");
    assertThat(client.read()).isEqualTo("EOF");
  }

  @Test
  void close_answersThatWait_leaveWholeAndInOrder() throws IOException {
    client.send(CHECK.repeat(100));
    assertThat(client.read()).startsWith(answer(1));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);

    int answers = 1;
    for (String next = client.read(); !next.equals("EOF"); next = client.read()) {
      answers++;
      assertThat(next).startsWith(answer(answers)).endsWith("]");
    }
    client.close();
    closed.join();
    assertThat(answers).isEqualTo(100);
  }
}
