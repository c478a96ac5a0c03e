package io.penstock.server.http;

import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRoutesTest {
  private static final String KEYS =
      "\"domain\":\"api\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"a\"}]]";

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
    rig.policy("api/user", "{\"limits\":[\"10/hour\"]}");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private HttpResponse<String> post(String path, String more) throws Exception {
    return rig.post(path, "{" + KEYS + more + "}", "Content-Type", "application/json");
  }

  private String until(long seconds) {
    return ",\"until\":\"" + Instant.ofEpochSecond(seconds, rig.clock.nanos()) + "\"";
  }

  @Test
  void reset_usedKey_isFullAgain() throws Exception {
    rig.check("user", "a", 7);
    HttpResponse<String> done = post("/v1/keys/reset", "");
    assertThat(done.statusCode()).isEqualTo(200);
    assertThat(json(done).get("durability").asText()).isEqualTo("strict");
    assertThat(rig.check("user", "a", 0).get("remaining").asLong()).isEqualTo(10);
  }

  @Test
  void block_untilAnInstant_deniesUntilThen() throws Exception {
    assertThat(post("/v1/keys/block", until(60)).statusCode()).isEqualTo(200);
    JsonNode blocked = rig.check("user", "a", 1);
    assertThat(blocked.get("reason").asText()).isEqualTo("blocked");
    assertThat(blocked.get("retryAfterMs").asLong()).isEqualTo(60_000);
    assertThat(rig.check("user", "b", 1).get("allowed").asBoolean()).isTrue();
    rig.clock.advance(Duration.ofSeconds(60));
    assertThat(rig.check("user", "a", 1).get("allowed").asBoolean()).isTrue();
  }

  @Test
  void override_untilAnInstant_hasOtherLimitsUntilThen() throws Exception {
    String limits = ",\"limits\":[\"50/hour\"]";
    assertThat(post("/v1/keys/override", limits + until(60)).statusCode()).isEqualTo(200);
    assertThat(rig.check("user", "a", 1).get("limit").asLong()).isEqualTo(50);
    rig.clock.advance(Duration.ofSeconds(60));
    assertThat(rig.check("user", "a", 0).get("limit").asLong()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
  void keys_notSaidToBeJson_is415(String type) throws Exception {
    rig.check("user", "a", 7);
    HttpResponse<String> refused =
        rig.post("/v1/keys/reset", "{" + KEYS + "}", "Content-Type", type);
    assertThat(refused.statusCode()).isEqualTo(415);
    assertThat(rig.post("/v1/keys/reset", "{" + KEYS + "}").statusCode()).isEqualTo(415);
    assertThat(rig.check("user", "a", 0).get("remaining").asLong()).isEqualTo(3);
  }

  @Test
  void override_severalProblems_areAllToldAndNothingChanges() throws Exception {
    String odd = ",\"limits\":[\"5/x\",\"6/s\",\"7/s\"],\"until\":\"soon\",\"cost\":1";
    HttpResponse<String> refused = post("/v1/keys/override", odd);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("content-type")).hasValue("application/problem+json");
    JsonNode errors = json(refused).get("errors");
    assertThat(errors.findValuesAsText("field"))
        .containsExactly("limits[0]", "limits[2]", "until", "cost");
    assertThat(errors.get(1).get("value").asText()).isEqualTo("7/s");
    assertThat(errors.get(1).get("expected").asText()).contains("another period");
    assertThat(rig.check("user", "a", 1).get("limit").asLong()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "block ",
        "block ,\"until\":\"soon\"",
        "override ,\"until\":1",
        "override ,\"until\":1,\"limits\":[]",
        "override ,\"until\":1,\"limits\":[\"5/s\",\"6/s\"]",
        "reset ,\"cost\":1"
      })
  void keys_oddBody_is400(String pathAndMore) throws Exception {
    String[] parts = pathAndMore.split(" ", 2);
    assertThat(post("/v1/keys/" + parts[0], parts[1]).statusCode()).isEqualTo(400);
  }
}
