package io.penstock.server.resp;

import static io.penstock.server.resp.RespClient.array;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Bounds;
import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is too large is what the configuration says, for each command what is in it. */
class RespSizesTest {
  private static final int BODY = 1 << 20;
  private static final int ENTRIES = 16;
  private static final int VALUE = 8 << 10;

  @TempDir Path folder;

  private @Nullable RespServer server;
  private @Nullable RespClient client;

  @AfterEach
  void stop() throws IOException {
    if (client != null) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private RespClient serve(Bounds bounds, Gatekeeper gatekeeper) throws IOException {
    RespOptions options = RespClient.local().withBounds(bounds);
    server = RespServer.start(options, Nodes.inMemory(), gatekeeper, new RespStats());
    client = new RespClient(server.port());
    return client;
  }

  private static Bounds bounds(int bodyBytes, int entries, int valueLength) {
    Bounds d = Bounds.defaults();
    return new Bounds(
        d.headBytes(),
        bodyBytes,
        d.descriptors(),
        entries,
        d.keyLength(),
        valueLength,
        d.requestIdLength(),
        d.checks(),
        d.connections(),
        d.idleSeconds(),
        d.pipelined());
  }

  /** Lets in who knows a key. */
  private Gatekeeper guarded(String key) throws IOException {
    Path keys = folder.resolve("keys.yaml");
    Files.writeString(keys, "- {name: a, roles: {\"*\": [admin]}, key: " + key + "}\n");
    return Gatekeeper.of(
        new Access(keys, null, null, null, null), () -> Instant.EPOCH, new FileWatch());
  }

  private static String[] check(int entries, String value, String... options) {
    List<String> arguments = new ArrayList<>(List.of("PENSTOCK.CHECK", "api"));
    for (int i = 0; i < entries; i++) {
      arguments.addAll(List.of("key" + i, value));
    }
    arguments.addAll(List.of(options));
    return arguments.toArray(String[]::new);
  }

  @Test
  void auth_tokenLongerThanValuesAndBodies_isLetIn() throws IOException {
    String token = "t".repeat(3_000);
    RespClient it = serve(bounds(/* bodyBytes= */ 1 << 10, ENTRIES, 512), guarded(token));

    assertThat(it.call("AUTH", token)).isEqualTo("+OK");
    assertThat(it.call("HELLO", "2", "AUTH", "u", token)).startsWith("[server, ");
    assertThat(it.call("ECHO", "x".repeat(1_100)))
        .isEqualTo("-ERR command: too many bytes (expected: <= 1024)");
    assertThat(it.call("AUTH", "u", token)).isEqualTo("+OK");
  }

  @Test
  void check_idLongerThanValues_isDecided() throws IOException {
    RespClient it = serve(bounds(BODY, ENTRIES, 100), Gatekeeper.open());

    assertThat(it.call(check(1, "v", "ID", "i".repeat(200)))).contains("no-policy");
    assertThat(it.call(check(1, "v", "ID", "i".repeat(257))))
        .isEqualTo("-ERR ID: 257 bytes (expected: <= 256 bytes)");
    assertThat(it.call("PENSTOCK.CHECK", "api", "k".repeat(1_024), "v")).contains("no-policy");
  }

  @Test
  void keyOrValue_longerThanValues_isRefusedByNameAndTheConnectionLives() throws IOException {
    RespClient it = serve(bounds(BODY, ENTRIES, 100), Gatekeeper.open());
    String key = "k".repeat(101);

    for (String[] command :
        List.of(
            new String[] {"CL.THROTTLE", key, "1", "1", "1"},
            new String[] {"DEL", "other", key},
            check(1, key))) {
      assertThat(it.call(command)).endsWith(": 101 bytes (expected: <= 100 bytes)");
    }
    assertThat(it.call("CL.THROTTLE", "k".repeat(100), "1", "1", "1")).startsWith("[:0, ");
  }

  @Test
  void check_everyValueAsLongAsMayBe_isDecided() throws IOException {
    RespClient it = serve(Bounds.defaults(), Gatekeeper.open());

    assertThat(it.call(check(ENTRIES, "v".repeat(VALUE)))).contains("no-policy");
    assertThat(it.call(check(1, "v".repeat(VALUE + 1)))).startsWith("-ERR ");
    assertThat(it.call("PING")).isEqualTo("+PONG");
  }

  @Test
  void check_asManyEntriesAsMayBe_isDecided() throws IOException {
    RespClient it = serve(bounds(BODY, 255, VALUE), Gatekeeper.open());

    assertThat(it.call(check(255, "v", "COST", "0", "ID", "i"))).contains("no-policy");
    assertThat(it.call(check(256, "v"))).isEqualTo("-ERR entries: 256 (expected: <= 255)");
    assertThat(it.call(check(300, "v"))).isEqualTo("-ERR arguments: 602 (expected: <= 516)");
    assertThat(it.call("PING")).isEqualTo("+PONG");
  }

  @Test
  void command_longerThanABody_isRefusedAndTheConnectionLives() throws IOException {
    RespClient it = serve(bounds(2 << 10, ENTRIES, VALUE), Gatekeeper.open());

    assertThat(it.call(check(1, "v".repeat(1_900)))).contains("no-policy");
    assertThat(it.call(check(2, "v".repeat(1_000))))
        .isEqualTo("-ERR command: too many bytes (expected: <= 2048)");
    assertThat(it.send("ECHO a" + " ".repeat(2 << 10) + "\r\n").read())
        .isEqualTo("-ERR command: too many bytes (expected: <= 2048)");
    assertThat(it.call("PING")).isEqualTo("+PONG");
  }

  @Test
  void command_beforeLogin_mayBeNoLongerThanALogin() throws IOException {
    RespClient it = serve(Bounds.defaults(), guarded("0123456789abcdef"));

    assertThat(it.call(check(1, "v".repeat(VALUE)))).startsWith("-NOAUTH");
    assertThat(it.call(check(3, "v".repeat(VALUE))))
        .isEqualTo("-ERR command: too many bytes (expected: <= 16384 before AUTH)");
    assertThat(it.send("x".repeat(17_000)).read())
        .isEqualTo("-ERR Protocol error: too big inline request");
  }

  @Test
  void check_rightBehindTheLogin_isTakenAsLongAsMayBe() throws IOException {
    String key = "0123456789abcdef";
    RespClient it = serve(Bounds.defaults(), guarded(key));
    it.send(array("AUTH", key) + array(check(ENTRIES, "v".repeat(VALUE))) + array("RESET"));

    assertThat(it.read()).isEqualTo("+OK");
    assertThat(it.read()).contains("no-policy");
    assertThat(it.read()).isEqualTo("+RESET");
    assertThat(it.call(check(3, "v".repeat(VALUE)))).endsWith(" before AUTH)");
  }
}
