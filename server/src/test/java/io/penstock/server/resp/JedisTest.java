package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;

/** A client that people use, with each protocol. */
class JedisTest {
  private static final ProtocolCommand THROTTLE =
      () -> "CL.THROTTLE".getBytes(StandardCharsets.US_ASCII);

  private RespServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        RespServer.start(RespClient.local(), Nodes.inMemory(), Gatekeeper.open(), new RespStats());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Jedis jedis(RedisProtocol protocol) {
    return new Jedis(
        new HostAndPort("127.0.0.1", server.port()),
        DefaultJedisClientConfig.builder().protocol(protocol).clientName("test").build());
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void throttle_eachProtocol_answersFiveNumbers(RedisProtocol protocol) {
    try (Jedis jedis = jedis(protocol)) {
      assertThat(jedis.sendCommand(THROTTLE, "k", "1", "1", "60"))
          .isEqualTo(List.of(0L, 2L, 1L, -1L, 60L));
      assertThat(jedis.clientGetname()).isEqualTo("test");
      assertThat(jedis.ping()).isEqualTo("PONG");
      assertThat(jedis.del("k")).isEqualTo(1);
      assertThat(jedis.del("k")).isZero();
      assertThatThrownBy(() -> jedis.get("k"))
          .isInstanceOf(JedisDataException.class)
          .hasMessage("ERR unknown command 'GET'");
    }
  }

  @Test
  void pipeline_thousand_isAnsweredInOrder() {
    try (Jedis jedis = jedis(RedisProtocol.RESP2)) {
      Pipeline pipeline = jedis.pipelined();
      List<Response<Object>> responses = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        responses.add(pipeline.sendCommand(THROTTLE, "k", "999", "1", "60"));
      }
      pipeline.sync();

      for (int i = 0; i < 1_000; i++) {
        assertThat(((List<?>) responses.get(i).get()).get(2)).isEqualTo(999L - i);
      }
    }
  }
}
