package io.penstock.server.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.node.LateNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers and errors that come after the call that asked has returned. */
class LateAnswersTest {
  private Rig rig;
  private LateNode node;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    AtomicReference<@Nullable LateNode> made = new AtomicReference<>();
    rig =
        Rig.behind(
            folder,
            local -> {
              LateNode late = new LateNode(local);
              made.set(late);
              return late;
            });
    node = requireNonNull(made.get());
    rig.policy("api/user", "{\"limits\":[\"5/hour\"]}");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
    node.close();
  }

  private static String body(long cost) {
    return Rig.body("api", "user", "42", cost);
  }

  @Test
  void checks_onOneConnection_areAnsweredInOrder() throws Exception {
    StringBuilder pipeline = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      pipeline.append(
          "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(body(1).length(), body(1)));
    }
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String answers = socket.send(pipeline + RawSocket.LAST).readToEnd();
      for (int left = 4; left > 1; left--) {
        assertThat(answers.indexOf("\"remaining\":" + left))
            .isPositive()
            .isLessThan(answers.indexOf("\"remaining\":" + (left - 1)));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/check, 1, 200",
    "/v1/reserve, 1, 200",
    "/v1/acquire, 1, 200",
  })
  void taking_late_isAnswered(String path, long cost, int status) throws Exception {
    HttpResponse<String> response = rig.post(path, body(cost));
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(Rig.json(response).get("remaining").asLong()).isEqualTo(4);
  }

  /** On the short way of a plain check, and on the long one. */
  @ParameterizedTest
  @CsvSource({"X-Any, any", "Expect-Nothing, any", "Upgrade, nothing"})
  void check_nobodyAnswers_is503AndSaysWhy(String field, String value) throws Exception {
    node.goAway();
    String text =
        "POST /v1/check HTTP/1.1\r\nHost: a\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(field, value, body(1).length(), body(1));
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String answers = socket.send(text + text + RawSocket.LAST).readToEnd();
      assertThat(RawSocket.statuses(answers)).startsWith(503, 503);
      assertThat(answers)
          .contains("application/problem+json")
          .contains("\"detail\":\"" + LateNode.GONE + "\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/reserve, 503",
    "/v1/keys/reset, 503",
    "/v1/reservations/x/cancel, 503",
    "/v1/leases/x/renew, 503",
    "/json, 503",
  })
  void order_nobodyAnswers_is503AndSaysWhy(String path, int status) throws Exception {
    node.goAway();
    String body = "{\"domain\":\"api\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"42\"}]]}";
    String envoy =
        "{\"domain\":\"api\",\"descriptors\":"
            + "[{\"entries\":[{\"key\":\"user\",\"value\":\"42\"}]}]}";
    HttpResponse<String> response =
        rig.post(path, path.equals("/json") ? envoy : body, "Content-Type", "application/json");
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(Rig.json(response).get("detail").asText()).isEqualTo(LateNode.GONE);
  }

  @Test
  void batch_nobodyAnswers_saysItOfEach() throws Exception {
    node.goAway();
    String batch = "{\"checks\":[" + body(1) + "," + body(1) + "]}";
    JsonNode answers = Rig.json(rig.post("/v1/check:batch", batch)).get("answers");
    assertThat(answers).hasSize(2);
    assertThat(answers.get(1).get("status").asInt()).isEqualTo(503);
  }
}
