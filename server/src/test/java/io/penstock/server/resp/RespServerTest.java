package io.penstock.server.resp;

import static io.penstock.server.resp.RespClient.array;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RespServerTest {
  private final RespStats stats = new RespStats();
  private RespServer server;
  private RespClient client;

  @BeforeEach
  void start() throws IOException {
    RespOptions options = RespClient.local();
    server = RespServer.start(options, Nodes.inMemory(), Gatekeeper.open(), stats);
    client = new RespClient(server.port());
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void throttle_burstUsedUp_answersAsRedisCell() throws IOException {
    assertThat(client.call("CL.THROTTLE", "k", "2", "1", "60")).isEqualTo("[:0, :3, :2, :-1, :60]");
    assertThat(client.call("cl.throttle", "k", "2", "1", "60", "2"))
        .isEqualTo("[:0, :3, :0, :-1, :180]");
    assertThat(client.call("CL.Throttle", "k", "2", "1", "60", "1"))
        .isEqualTo("[:1, :3, :0, :60, :180]");
    assertThat(client.call("CL.THROTTLE", "k", "2", "1", "60", "0"))
        .isEqualTo("[:0, :3, :0, :-1, :180]");
    assertThat(client.call("CL.THROTTLE", "k", "2", "1", "60", "4"))
        .isEqualTo("[:1, :3, :0, :-1, :180]");
    assertThat(client.call("CL.THROTTLE", "k", "2", "1", "60", "-1"))
        .isEqualTo("[:0, :3, :1, :-1, :120]");
    assertThat(client.call("CL.THROTTLE", "k", "2", "1", "60", "" + Long.MIN_VALUE))
        .isEqualTo("[:0, :3, :3, :-1, :0]");
    assertThat(client.call("CL.THROTTLE", "k", "2", "1", "60", "" + Long.MAX_VALUE))
        .isEqualTo("[:1, :3, :3, :-1, :0]");
  }

  /** A unit of 3 per second takes 333,333,334 ns, and three of them no second more than one. */
  @ParameterizedTest
  @CsvSource({
    "2,3,1,3,1",
    "2,3,10,3,10",
    "8,9,60,9,60",
    "2,3,10,1,4",
    "6999,7000,86400,7000,86400"
  })
  void throttle_intervalRoundedUp_addsNoSecondToTheReset(
      String burst, String count, String period, String quantity, long reset) throws IOException {
    assertThat(client.call("CL.THROTTLE", "k", burst, count, period, quantity))
        .endsWith(", :-1, :" + reset + "]");
  }

  @Test
  void throttle_keysOfAnyBytes_areKeptApart() throws IOException {
    for (String key : List.of("", "a", "A", "a\u0000", "a\r\n", "\u00ff", "\u00fe", "a ")) {
      assertThat(client.call("CL.THROTTLE", key, "0", "1", "60"))
          .as(key)
          .isEqualTo("[:0, :1, :0, :-1, :60]");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CL.THROTTLE",
        "CL.THROTTLE k",
        "CL.THROTTLE k 1 1",
        "CL.THROTTLE k 1 1 1 1 1",
        "CL.THROTTLE k x 1 1",
        "CL.THROTTLE k 1.5 1 1",
        "CL.THROTTLE k 1 1e3 1",
        "CL.THROTTLE k -1 1 1",
        "CL.THROTTLE k 1 0 1",
        "CL.THROTTLE k 1 -1 1",
        "CL.THROTTLE k 1 1 0",
        "CL.THROTTLE k 1 1 -1",
        "CL.THROTTLE k 1 1 \"\"",
        "CL.THROTTLE k 1 1 -",
        "CL.THROTTLE k 9223372036854775807 1 1",
        "CL.THROTTLE k 9223372036854775806 1 1",
        "CL.THROTTLE k 9223372036854775808 1 1",
        "CL.THROTTLE k 1 9223372036854775807 1",
        "CL.THROTTLE k 1 1 9223372036854775807",
        "CL.THROTTLE k 1 1 1 99999999999999999999",
        "CL.THROTTLE k 1 1 1 x",
        "DEL",
        "ECHO",
        "ECHO a b",
        "PING a b",
        "SELECT 1",
        "SELECT x",
        "AUTH x",
        "AUTH x y",
        "CLIENT",
        "CLIENT KILL 1",
        "CLIENT SETNAME \"a b\"",
        "HELLO x",
        "HELLO 3 FOO",
        "HELLO 3 AUTH x",
        "HELLO 3 AUTH x y",
        "COMMAND FOO",
        "PENSTOCK.CHECK api",
        "PENSTOCK.CHECK api user",
        "PENSTOCK.CHECK api user 1 COST",
        "PENSTOCK.CHECK api user 1 COST x",
        "PENSTOCK.CHECK api user 1 COST 1 COST 2",
        "PENSTOCK.CHECK api user 1 ID \"\"",
        "PENSTOCK.CHECK api user 1 COST 1 plan free",
        "PENSTOCK.CHECK \"\" user 1",
        "PENSTOCK.CHECK api \"\" 1",
        "PENSTOCK.CHECK api user \"\\xff\"",
        "GET k",
        "nonsense",
      })
  void command_wrong_isRefusedAndTheConnectionLives(String line) throws IOException {
    assertThat(client.send(line + "\r\nPING\r\n").read()).startsWith("-ERR ");
    assertThat(client.read()).isEqualTo("+PONG");
    assertThat(stats.refused()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 2_305_843_010L, Long.MAX_VALUE})
  void throttle_periodOutOfBounds_isToldAsItWasSent(long period) throws IOException {
    assertThat(client.call("CL.THROTTLE", "k", "0", "1", "" + period))
        .isEqualTo("-ERR period: " + period + " (expected: 1..2305843009)");
    assertThat(client.call("CL.THROTTLE", "k", "0", "1", "2305843009")).startsWith("[:0, :1, :0");
  }

  @Test
  void command_unknown_isNamedInOneCleanLine() throws IOException {
    assertThat(client.call("FLUSHALL")).isEqualTo("-ERR unknown command 'FLUSHALL'");
    assertThat(client.call("a\r\n+OK\u0000")).isEqualTo("-ERR unknown command 'a??+OK?'");
    assertThat(client.call("x".repeat(5_000)))
        .isEqualTo("-ERR unknown command '" + "x".repeat(64) + "...'");
    assertThat(client.call("")).isEqualTo("-ERR unknown command ''");
    assertThat(stats.calls()).containsEntry("unknown", 4L);
  }

  @Test
  void info_someSections_tellsTheseOnly() throws IOException {
    String all = client.call("INFO");
    assertThat(all).contains("# Server\r\n", "\r\n\r\n# Clients\r\n", "# Replication\r\nrole:");
    assertThat(client.call("INFO", "everything")).contains("# Server", "# Replication");
    assertThat(client.call("INFO", "server"))
        .startsWith("# Server\r\nredis_version:7.")
        .doesNotContain("# Clients");
    assertThat(client.call("info", "Replication"))
        .isEqualTo("# Replication\r\nrole:master\r\nconnected_slaves:0\r\n");
    assertThat(client.call("INFO", "persistence", "clients"))
        .isEqualTo("# Clients\r\nconnected_clients:1\r\n\r\n# Persistence\r\nloading:0\r\n");
    assertThat(client.call("INFO", "nothing")).isEmpty();
  }

  @Test
  void smallTalk_eachCommand_isAnsweredAsRedisDoes() throws IOException {
    assertThat(client.call("ping")).isEqualTo("+PONG");
    assertThat(client.call("PING", "a\r\nb")).isEqualTo("a\r\nb");
    assertThat(client.call("Echo", "")).isEmpty();
    assertThat(client.call("SELECT", "0")).isEqualTo("+OK");
    assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("nil");
    assertThat(client.call("CLIENT", "setname", "me")).isEqualTo("+OK");
    assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("me");
    assertThat(client.call("CLIENT", "ID")).isEqualTo(":1");
    assertThat(client.call("CLIENT", "SETINFO", "LIB-NAME", "x")).isEqualTo("+OK");
    assertThat(client.call("INFO")).contains("redis_version:7.");
    assertThat(client.call("RESET")).isEqualTo("+RESET");
    assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("nil");
    assertThat(client.call("QUIT")).isEqualTo("+OK");
    assertThat(client.read()).isEqualTo("EOF");
  }

  @Test
  void hello_eachVersion_changesTheFormOfAnswers() throws IOException {
    assertThat(client.call("HELLO")).startsWith("[server, redis, ").contains("proto, :2");
    assertThat(client.call("HELLO", "3", "SETNAME", "me"))
        .startsWith("map[server, redis, ")
        .contains("proto, :3");
    assertThat(client.call("HELLO", "4")).startsWith("-NOPROTO");
    assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("me");
    assertThat(client.call("COMMAND", "INFO", "nothing")).isEqualTo("[nil3]");
    assertThat(client.call("HELLO", "2")).startsWith("[");
  }

  @Test
  void command_catalogue_hasRedisForm() throws IOException {
    assertThat(client.call("COMMAND", "COUNT")).isEqualTo(":13");
    assertThat(client.call("COMMAND")).contains("[cl.throttle, :-5, [+write, +fast], :1, :1, :1,");
    assertThat(client.call("COMMAND", "INFO", "DEL", "x"))
        .isEqualTo("[[del, :-2, [+write, +fast], :1, :-1, :1, [+@write], [], [], []], []]");
    assertThat(client.call("COMMAND", "DOCS", "ping", "x")).startsWith("[ping, [summary, ");
    assertThat(client.call("COMMAND", "LIST")).contains("penstock.check");
    assertThat(client.call("COMMAND", "INFO", "PENSTOCK.CHECK"))
        .contains(":-4, [+write, +fast], :0, :0, :0, [+@write]");
    assertThat(client.call("HELLO", "3")).startsWith("map");
    assertThat(client.call("COMMAND", "INFO", "PING"))
        .endsWith("set[+@connection], set[], set[], set[]]]");
  }

  @ParameterizedTest
  @ValueSource(ints = {8_193, 1 << 20, 20 << 20})
  void key_oversized_isRefusedAndTheConnectionLives(int length) throws IOException {
    client.send("*5\r\n$11\r\nCL.THROTTLE\r\n$" + length + "\r\n");
    byte[] piece = new byte[Math.min(length, 1 << 16)];
    for (int left = length; left > 0; left -= piece.length) {
      client.send(left >= piece.length ? piece : new byte[left]);
    }
    client.send("\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n1\r\n");

    assertThat(client.read()).startsWith("-ERR ").contains(length + " bytes");
    assertThat(client.call("PING")).isEqualTo("+PONG");
    assertThat(stats.refused()).isEqualTo(1);
  }

  @Test
  void protocol_brokenAmidMuch_isToldAndTheConnectionEnds() throws IOException {
    client.send(array("PING") + "*1\r\n+" + "x".repeat(1 << 20));

    assertThat(client.read()).isEqualTo("+PONG");
    assertThat(client.read()).isEqualTo("-ERR Protocol error: expected '$', got '+'");
    assertThat(client.read()).isEqualTo("EOF");
  }

  @Test
  void protocol_httpOfABrowser_runsNothing() throws IOException {
    client.send("PUT /x HTTP/1.1\r\nHost: localhost\r\n\r\nECHO run\r\n");

    assertThat(client.read()).isEqualTo("-ERR unknown command 'PUT'");
    assertThat(client.read()).startsWith("-ERR Protocol error");
    assertThat(client.read()).isEqualTo("EOF");
  }

  @Test
  void pipeline_tenThousandLines_areAnsweredInOrder() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      lines.append("ECHO ").append(i).append("\r\n");
    }
    client.send(lines.toString());

    for (int i = 0; i < 10_000; i++) {
      assertThat(client.read()).isEqualTo("" + i);
    }
  }

  @Test
  void client_endsItsInput_getsAllAnswers() throws IOException {
    client.send("ECHO a\r\nECHO b\r\n").endInput();

    assertThat(List.of(client.read(), client.read(), client.read()))
        .containsExactly("a", "b", "EOF");
  }

  @Test
  void connections_fiveHundredAtOnce_areAllAnswered() throws IOException {
    List<RespClient> many = new ArrayList<>();
    try {
      for (int i = 0; i < 500; i++) {
        many.add(new RespClient(server.port()).send(array("CL.THROTTLE", "one", "299", "1", "60")));
      }
      int allowed = 0;
      for (RespClient each : many) {
        allowed += each.read().startsWith("[:0, :300, ") ? 1 : 0;
      }
      assertThat(allowed).isEqualTo(300);
    } finally {
      for (RespClient each : many) {
        each.close();
      }
    }
  }

  @Test
  void close_clientStillThere_endsItsConnection() throws IOException {
    assertThat(client.call("PING")).isEqualTo("+PONG");
    client.endInput();
    server.close();

    assertThat(client.read()).isEqualTo("EOF");
  }
}
