package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.Answer;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Node;
import io.penstock.server.node.Part;
import io.penstock.server.node.Why;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CheckCommandTest {
  private final Node node =
      Nodes.withPolicies(
          "api/user", "{\"limits\":[\"3/min\"]}",
          "api/user/id", "{\"limits\":[\"5/min\"]}",
          "api/free", "{\"unlimited\":true}");
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
  }

  private String check(String... arguments) throws IOException {
    String[] call = new String[arguments.length + 1];
    call[0] = "penstock.check";
    System.arraycopy(arguments, 0, call, 1, arguments.length);
    return client.call(call);
  }

  @Test
  void check_underAPolicy_saysFirstWhatThrottleSays() throws IOException {
    assertThat(check("api", "user", "a"))
        .isEqualTo("[:0, :3, :2, :-1, :20, ok, api/user, :1, memory, :0, :0]");
    assertThat(check("api", "user", "a", "COST", "2"))
        .isEqualTo("[:0, :3, :0, :-1, :60, ok, api/user, :1, memory, :0, :0]");
    assertThat(check("api", "user", "a"))
        .isEqualTo("[:1, :3, :0, :20, :60, limited, api/user, :1, memory, :0, :0]");
    assertThat(check("api", "user", "a", "COST", "4")).startsWith("[:1, :3, :0, :-1, :60, never,");
    assertThat(check("api", "user", "a", "cost", "0")).startsWith("[:0, :3, :0, :-1, :60, ok,");
    assertThat(check("api", "user", "a", "COST", "-2")).startsWith("[:0, :3, :2, :-1, :20, ok,");
  }

  @Test
  void check_sameId_consumesOnce() throws IOException {
    assertThat(check("api", "user", "b", "ID", "x", "COST", "2")).startsWith("[:0, :3, :1, ");
    assertThat(check("api", "user", "b", "COST", "2", "ID", "x"))
        .startsWith("[:0, :3, :1, ")
        .endsWith(", :1]");
    assertThat(check("api", "user", "b", "COST", "0")).startsWith("[:0, :3, :1, ");
  }

  @Test
  void check_keyNamedAsAnOption_isAnEntryOnlyInFront() throws IOException {
    assertThat(check("api", "id", "7")).contains("no-policy");
    assertThat(check("api", "user", "a", "id", "7")).contains("api/user, ");
  }

  @Test
  void check_nothingCounted_isNeverToldAsZero() throws IOException {
    assertThat(check("api", "nobody", "a"))
        .isEqualTo("[:0, :-1, :-1, :-1, :0, no-policy, nil, :0, none, :0, :0]");
    assertThat(check("api", "free", "a")).startsWith("[:0, :-1, :-1, :-1, :0, unlimited, api/free");
  }

  @Test
  void write_deniedWithoutANumber_saysToWait() {
    Part part = new Part(false, null, 0, Why.FAIL_CLOSED, -1, List.of(), Part.AS_METER);
    Answer answer = new Answer(false, 0, List.of(part), 1_500_001, Durability.MEMORY, "n1", false);
    Output out = new Output(64);
    CheckCommand.write(answer, /* resp3= */ true, out);

    assertThat(new String(out.bytes(), 0, out.length(), StandardCharsets.US_ASCII))
        .startsWith("*11\r\n:1\r\n:-1\r\n:0\r\n:1\r\n:0\r\n$11\r\nfail-closed\r\n_\r\n")
        .endsWith("\r\n:2\r\n:0\r\n");
  }
}
