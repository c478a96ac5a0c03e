package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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

  @TempDir Path folder;

  private RespServer server;
  private RespClient client;

  @BeforeEach
  void start() throws IOException {
    Path keys =
        Files.writeString(
            folder.resolve("keys.yaml"),
            """
            - {name: admin, key: %s, roles: {"*": [admin]}}
            - {name: gateway, key: %s, roles: {redis: [check], api: [check]}}
            - {name: stranger, key: %s, roles: {billing: [check]}}
            """
                .formatted(ADMIN, GATEWAY, STRANGER));
    Gatekeeper gatekeeper =
        Gatekeeper.of(new Access(keys, null, null, null, null), Clock.systemUTC(), new FileWatch());
    server =
        RespServer.start(
            RespClient.local(),
            Nodes.withPolicies("api/user", "{\"limits\":[\"3/min\"]}"),
            gatekeeper,
            new RespStats());
    client = new RespClient(server.port());
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
  void jedis_withPassword_isLetIn() {
    try (Jedis jedis =
        new Jedis(
            new HostAndPort("127.0.0.1", server.port()),
            DefaultJedisClientConfig.builder().password(ADMIN).build())) {
      assertThat(jedis.ping()).isEqualTo("PONG");
    }
  }
}
