package io.penstock.server.http;

import static io.penstock.server.http.Rig.body;
import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckRoutesTest {
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  @Test
  void check_policyWithRoom_tellsEveryFieldInOrder() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/s burst 5\"]}");
    HttpResponse<String> response = rig.post("/v1/check", body("api", "user", "42", 2));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(response.body())
        .isEqualTo(
            "{\"allowed\":true,\"remaining\":3,\"limit\":5,\"retryAfterMs\":0,\"resetAfterMs\":200,"
                + "\"policy\":\"api/user\",\"policyVersion\":1,\"reason\":\"ok\","
                + "\"durability\":\"fast\",\"decidedBy\":\"n1\",\"waitMs\":0,\"results\":["
                + "{\"allowed\":true,\"policy\":\"api/user\",\"policyVersion\":1,\"remaining\":3,"
                + "\"limit\":5,\"retryAfterMs\":0,\"reason\":\"ok\"}]}");
  }

  @Test
  void check_denied_isAnAnswerWithAnHonestWait() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"7/s burst 1\"]}");
    rig.check("user", "42", 1);
    JsonNode denied = rig.check("user", "42", 1);
    assertThat(denied.get("allowed").asBoolean()).isFalse();
    assertThat(denied.get("reason").asText()).isEqualTo("limited");
    long wait = denied.get("retryAfterMs").asLong();
    assertThat(wait).as("1/7 s, rounded up").isEqualTo(143);
    rig.clock.advance(Duration.ofMillis(wait - 1));
    assertThat(rig.check("user", "42", 1).get("allowed").asBoolean()).isFalse();
    rig.clock.advance(Duration.ofMillis(1));
    assertThat(rig.check("user", "42", 1).get("allowed").asBoolean()).isTrue();
  }

  @Test
  void check_costAboveCapacity_neverFits() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/s\"]}");
    JsonNode never = rig.check("user", "42", Long.MAX_VALUE);
    assertThat(never.get("reason").asText()).isEqualTo("never");
    assertThat(never.get("retryAfterMs").asLong()).isEqualTo(-1);
    assertThat(never.get("remaining").asLong()).isEqualTo(10);
  }

  @Test
  void check_noPolicyOrUnlimited_neverSaysZero() throws Exception {
    rig.policy("api/free", "{\"unlimited\":true}");
    JsonNode none = rig.check("user", "42", 1);
    assertThat(none.get("reason").asText()).isEqualTo("no-policy");
    assertThat(none.get("policy").isNull()).isTrue();
    JsonNode unlimited = rig.check("free", "42", 1);
    assertThat(unlimited.get("reason").asText()).isEqualTo("unlimited");
    assertThat(unlimited.get("policy").asText()).isEqualTo("api/free");
    for (JsonNode answer : List.of(none, unlimited)) {
      assertThat(answer.get("limit").isNull()).isTrue();
      assertThat(answer.get("remaining").isNull()).isTrue();
      assertThat(answer.get("results").get(0).get("limit").isNull()).isTrue();
    }
  }

  @Test
  void check_strictPolicy_isAnsweredToo() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/s\"],\"consistency\":\"strict\"}");
    assertThat(rig.check("user", "42", 1).get("durability").asText()).isEqualTo("strict");
  }

  @Test
  void check_sameRequestId_consumesOnce() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"1/s\"]}");
    String check = body("api", "user", "42", 1).replace("}]]", "}]],\"requestId\":\"a\"");
    assertThat(json(rig.post("/v1/check", check)).has("duplicate")).isFalse();
    JsonNode again = json(rig.post("/v1/check", check));
    assertThat(again.get("allowed").asBoolean()).isTrue();
    assertThat(again.get("duplicate").asBoolean()).isTrue();
  }

  @Test
  void batch_severalChecks_areAnsweredInOrder() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"2/s\"]}");
    List<String> checks = new ArrayList<>();
    for (String user : List.of("a", "b", "a", "a")) {
      checks.add(body("api", "user", user, 1));
    }
    String batch = "{\"checks\":[" + String.join(",", checks) + "]}";
    JsonNode answers = json(rig.post("/v1/check:batch", batch)).get("answers");
    assertThat(answers)
        .extracting(answer -> answer.get("allowed").asBoolean())
        .containsExactly(true, true, true, false);
  }

  @Test
  void batch_badCheck_consumesNothing() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"1/s\"]}");
    String good = body("api", "user", "a", 1);
    String bad = "{\"checks\":[" + good + "," + good.replace("cost", "Cost") + "]}";
    HttpResponse<String> refused = rig.post("/v1/check:batch", bad);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(json(refused).get("field").asText()).isEqualTo("checks[1].Cost");
    assertThat(rig.check("user", "a", 1).get("allowed").asBoolean()).isTrue();
  }

  @Test
  void check_badBody_isAProblemThatNamesTheField() throws Exception {
    HttpResponse<String> refused = rig.post("/v1/check", body("api", "user", "a", 1) + "{}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    JsonNode problem = json(refused);
    assertThat(problem.get("title").asText()).isEqualTo("Bad Request");
    assertThat(problem.get("status").asInt()).isEqualTo(400);
    assertThat(problem.get("detail").asText()).contains("expected");
    assertThat(problem.get("field").asText()).isEqualTo("body");
  }

  @Test
  void check_bodyBeyondTheBound_is413() throws Exception {
    HttpResponse<String> refused = rig.post("/v1/check", " ".repeat((1 << 20) + 1));
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(json(refused).get("field").asText()).isEqualTo("body");
    assertThat(rig.post("/v1/check", " ".repeat(1 << 20)).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "ANY"})
  void check_otherMethod_is405(String method) throws Exception {
    HttpResponse<String> refused =
        rig.send(rig.request("/v1/check").method(method, BodyPublishers.noBody()));
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).hasValue("POST");
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "a"})
  void check_anyContentType_isReadAsJson(String type) throws Exception {
    HttpResponse<String> response =
        rig.post("/v1/check", body("api", "user", "a", 1), "Content-Type", type);
    assertThat(response.statusCode()).isEqualTo(200);
  }
}
