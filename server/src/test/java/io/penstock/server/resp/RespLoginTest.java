package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Bounds;
import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

class RespLoginTest {
  private static final String ADMIN = "admin-0123456789abcdef";
  private static final String GATEWAY = "gateway-0123456789abcdef";
  private static final String STRANGER = "stranger-0123456789abcdef";
  private static final String[] THROTTLE = {"CL.THROTTLE", "k", "9", "1", "60"};

  /** More than there is time for. */
  private static final int ATTEMPTS = 1_000_000;

  private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);

  @TempDir Path folder;

  private final FileWatch watch = new FileWatch();
  private volatile Instant now = Instant.ofEpochSecond(500);
  private Gatekeeper gatekeeper;
  private RespServer server;
  private RespClient client;

  @BeforeEach
  void start() throws IOException {
    keys(
        """
        - {name: admin, key: %s, roles: {"*": [admin]}}
        - {name: gateway, key: %s, roles: {redis: [check], api: [check]}}
        - {name: stranger, key: %s, roles: {billing: [check]}}
        """
            .formatted(ADMIN, GATEWAY, STRANGER));
    Path secret = Files.write(folder.resolve("secret"), SECRET);
    Access access = new Access(folder.resolve("keys.yaml"), secret, null, null, null);
    gatekeeper = Gatekeeper.of(access, () -> now, watch);
    server =
        RespServer.start(
            RespClient.local(),
            Nodes.withPolicies("api/user", "{\"limits\":[\"3/min\"]}"),
            gatekeeper,
            new RespStats());
    client = new RespClient(server.port());
  }

  private void keys(String yaml) throws IOException {
    Files.writeString(folder.resolve("keys.yaml"), yaml);
    watch.poll();
  }

  private static String token(String claims) throws GeneralSecurityException {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    String signed =
        base64.encodeToString("{\"alg\":\"HS256\"}".getBytes(UTF_8))
            + "."
            + base64.encodeToString(claims.getBytes(UTF_8));
    return signed + "." + base64.encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void command_beforeLogin_isRefusedExceptTheLoginItself() throws IOException {
    assertThat(client.call("PING")).isEqualTo("-NOAUTH Authentication required.");
    assertThat(client.call(THROTTLE)).startsWith("-NOAUTH");
    assertThat(client.call("nonsense")).startsWith("-NOAUTH");
    assertThat(client.call("HELLO", "3")).startsWith("-NOAUTH HELLO must be called");
    assertThat(client.call("AUTH", "wrong")).startsWith("-WRONGPASS");
    assertThat(client.call("HELLO", "3", "AUTH", "u", "wrong")).startsWith("-WRONGPASS");
    assertThat(client.call(THROTTLE)).startsWith("-NOAUTH");
    assertThat(client.call("AUTH", GATEWAY)).isEqualTo("+OK");
    assertThat(client.call(THROTTLE)).startsWith("[:0, ");
    assertThat(client.call("RESET")).isEqualTo("+RESET");
    assertThat(client.call(THROTTLE)).startsWith("-NOAUTH");
    assertThat(client.call("QUIT")).isEqualTo("+OK");
  }

  @Test
  void hello_wrongBehindThePassword_logsNobodyIn() throws IOException {
    assertThat(client.call("HELLO", "3", "AUTH", "u", GATEWAY, "SETNAME", "a b"))
        .startsWith("-ERR ");
    assertThat(client.call("PING")).startsWith("-NOAUTH");
    assertThat(client.call("HELLO", "3", "AUTH", "u", GATEWAY, "SETNAME", "ab"))
        .startsWith("map[server");
  }

  @Test
  void auth_passwordThatIsNoText_isWrongAndNotRepeated() throws IOException {
    assertThat(client.call("AUTH", "secret\u00ff"))
        .startsWith("-WRONGPASS ")
        .doesNotContain("secr");
    assertThat(client.call("HELLO", "2", "AUTH", "\u00ff", GATEWAY)).startsWith("[server");
  }

  @Test
  void connection_withoutLogin_isClosedSoonWhateverItSends() throws IOException {
    Bounds usual = Bounds.defaults();
    Bounds hasty =
        new Bounds(
            usual.headBytes(),
            usual.bodyBytes(),
            usual.descriptors(),
            usual.entries(),
            usual.keyLength(),
            usual.valueLength(),
            usual.requestIdLength(),
            usual.checks(),
            usual.connections(),
            /* idleSeconds= */ 1,
            usual.pipelined());
    RespOptions options = RespClient.local().withBounds(hasty);
    try (RespServer other =
            RespServer.start(options, Nodes.inMemory(), gatekeeper, new RespStats());
        RespClient known = new RespClient(other.port());
        RespClient unknown = new RespClient(other.port());
        RespClient silent = new RespClient(other.port())) {
      assertThat(known.call("AUTH", GATEWAY)).isEqualTo("+OK");
      assertThat(silent.read()).isEqualTo("EOF");
      assertThat(untilClosed(unknown)).isEqualTo("EOF");
      assertThat(known.call("PING")).isEqualTo("+PONG");
    }
  }

  /** Sends commands for as long as they are answered. */
  private static String untilClosed(RespClient client) {
    try {
      String answer = client.call("PING");
      for (int i = 0; i < ATTEMPTS && answer.startsWith("-NOAUTH"); i++) {
        answer = client.call("PING");
      }
      return answer;
    } catch (IOException closed) {
      return "EOF";
    }
  }

  @Test
  void command_withoutItsRole_isRefused() throws IOException {
    assertThat(client.call("AUTH", "u", STRANGER)).isEqualTo("+OK");
    assertThat(client.call(THROTTLE)).startsWith("-NOPERM");
    assertThat(client.call("PENSTOCK.CHECK", "api", "user", "1")).startsWith("-NOPERM");
    assertThat(client.call("PING")).isEqualTo("+PONG");

    assertThat(client.call("HELLO", "2", "AUTH", "u", GATEWAY)).startsWith("[server");
    assertThat(client.call(THROTTLE)).startsWith("[:0, ");
    assertThat(client.call("CL.THROTTLE", "k", "9", "1", "60", "-1")).startsWith("-NOPERM");
    assertThat(client.call("DEL", "k")).startsWith("-NOPERM");
    assertThat(client.call("PENSTOCK.CHECK", "api", "user", "1")).startsWith("[:0, :3, :2,");
    assertThat(client.call("PENSTOCK.CHECK", "api", "user", "1", "COST", "-1"))
        .startsWith("-NOPERM");

    assertThat(client.call("AUTH", ADMIN)).isEqualTo("+OK");
    assertThat(client.call("PENSTOCK.CHECK", "api", "user", "1", "COST", "-1"))
        .startsWith("[:0, :3, :3,");
    assertThat(client.call("CL.THROTTLE", "k", "9", "1", "60", "-1")).startsWith("[:0, :10, :10,");
    assertThat(client.call("DEL", "k")).isEqualTo(":0");
  }

  @Test
  void command_afterTheKeyIsRevoked_isRefusedOnAnOpenConnection() throws IOException {
    assertThat(client.call("AUTH", GATEWAY)).isEqualTo("+OK");
    assertThat(client.call(THROTTLE)).startsWith("[:0, ");
    keys("- {name: gateway, key: " + GATEWAY + ", roles: {api: [check]}}\n");
    assertThat(client.call("PING")).isEqualTo("+PONG");
    assertThat(client.call(THROTTLE)).startsWith("-NOPERM");
    keys("- {name: admin, key: " + ADMIN + ", roles: {'*': [admin]}}\n");
    assertThat(client.call(THROTTLE)).startsWith("-NOAUTH");
    assertThat(client.call("PING")).startsWith("-NOAUTH");
    assertThat(client.call("AUTH", GATEWAY)).startsWith("-WRONGPASS");
    assertThat(client.call("AUTH", ADMIN)).isEqualTo("+OK");
    assertThat(client.call("PING")).isEqualTo("+PONG");
  }

  @Test
  void command_afterTheTokenHasEnded_isRefusedOnAnOpenConnection() throws Exception {
    String token = token("{\"sub\":\"ann\",\"exp\":1000,\"roles\":{\"redis\":[\"check\"]}}");
    assertThat(client.call("AUTH", token)).isEqualTo("+OK");
    assertThat(client.call(THROTTLE)).startsWith("[:0, ");
    now = Instant.ofEpochSecond(2_000);
    assertThat(client.call(THROTTLE)).startsWith("-NOAUTH");
    assertThat(client.call("AUTH", token)).startsWith("-WRONGPASS");
  }

  @Test
  void jedis_withPassword_isLetIn() {
    try (Jedis jedis =
        new Jedis(
            new HostAndPort("127.0.0.1", server.port()),
            DefaultJedisClientConfig.builder().password(ADMIN).build())) {
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }
}
