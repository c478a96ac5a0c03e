package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Bounds;
import io.penstock.server.grpc.JsonRateLimit.Reply;
import io.penstock.server.ops.Origin;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRateLimitTest {
  private static final String USER =
      "{\"domain\":\"api\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"1\"}]%s}]}";

  @TempDir Path folder;

  private LiveFront live;
  private JsonRateLimit json;

  @BeforeEach
  void start() throws Exception {
    live = LiveFront.open(folder);
    json = new JsonRateLimit(live.node, live.metrics.decisions("json"), Bounds.defaults());
  }

  @AfterEach
  void stop() {
    live.close();
  }

  private Reply ask(String body) {
    return ask(body, Gatekeeper.open().anonymous());
  }

  private Reply ask(String body, Caller caller) {
    List<Reply> replies = new ArrayList<>();
    json.answer(body, caller, Origin.NONE, replies::add);
    assertThat(replies).hasSize(1);
    return replies.get(0);
  }

  @Test
  void answer_allowedThenDenied_is200Then429() {
    live.put("api/user", "{\"limits\":[\"1/day\"],\"algorithm\":\"fixed-window\"}");
    Reply first = ask(USER.formatted(""));
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.retryAfterSeconds()).isZero();
    assertThat(first.body())
        .contains("\"overallCode\":\"OK\"")
        .contains("\"currentLimit\":{\"requestsPerUnit\":1,\"unit\":\"DAY\"}")
        .contains("\"durationUntilReset\":\"86400s\"");
    Reply second = ask(USER.formatted(""));
    assertThat(second.status()).isEqualTo(429);
    assertThat(second.body()).contains("\"overallCode\":\"OVER_LIMIT\"");
    assertThat(second.retryAfterSeconds()).isBetween(1L, 86_400L);
  }

  @Test
  void answer_blockedPolicy_hasNoLimitAndIsForADay() {
    live.put("api/user", "{\"blocked\":true}");
    Reply blocked = ask(USER.formatted(""));
    assertThat(blocked.status()).isEqualTo(429);
    assertThat(blocked.retryAfterSeconds()).isEqualTo(86_400);
    assertThat(blocked.body())
        .contains("{\"key\":\"retry-after\",\"value\":\"86400\"}")
        .doesNotContain("currentLimit");
  }

  @Test
  void answer_everyField_isUnderstoodInBothSpellings() {
    String own = ",\"limit\":{\"requestsPerUnit\":3,\"unit\":\"HOUR\"},\"hitsAddend\":\"2\"";
    assertThat(ask(USER.formatted(own)).body()).contains("\"limitRemaining\":1");
    String old = ",\"limit\":{\"requests_per_unit\":3,\"unit\":3},\"hits_addend\":2";
    assertThat(ask(USER.formatted(old)).status()).isEqualTo(429);
    String back = old + ",\"is_negative_hits\":true";
    assertThat(ask(USER.formatted(back)).body()).contains("\"limitRemaining\":3");
  }

  @Test
  void answer_limitsOfTwoUnits_areCountedApart() {
    String hour = USER.formatted(",\"limit\":{\"requestsPerUnit\":1,\"unit\":\"HOUR\"}");
    String second = USER.formatted(",\"limit\":{\"requestsPerUnit\":5,\"unit\":\"SECOND\"}");
    assertThat(ask(hour).status()).isEqualTo(200);
    assertThat(ask(hour).status()).isEqualTo(429);
    assertThat(ask(second).body())
        .contains("\"limitRemaining\":4")
        .contains("\"durationUntilReset\":\"1s\"");
  }

  @Test
  void answer_takesByThePolicyAndGivesBackByALimit_hasTwoStatuses() {
    live.put("api/user", "{\"limits\":[\"10/day\"]}");
    String entries = "{\"entries\":[{\"key\":\"user\",\"value\":\"1\"}]";
    String limit = ",\"limit\":{\"requestsPerUnit\":3,\"unit\":\"HOUR\"}";
    String both = "{\"domain\":\"api\",\"descriptors\":[" + entries + "}," + entries + "%s}]}";
    Reply reply = ask(both.formatted(limit + ",\"isNegativeHits\":true"));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).contains("\"limitRemaining\":9").contains("\"limitRemaining\":3");
    assertThat(ask(both.formatted(",\"isNegativeHits\":true")).status())
        .as("of one counter")
        .isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "{}",
        "{\"domain\":\"api\"}",
        "{\"domain\":\"api\",\"descriptors\":[]}",
        "{\"domain\":\"api\",\"descriptors\":[{}]}",
        "{\"domain\":\"api\",\"descriptors\":[null]}",
        "{\"domain\":\"api\",\"descriptors\":[7]}",
        "{\"domain\":\"api\",\"descriptors\":{}}",
        "{\"domain\":[],\"descriptors\":[]}",
        "{\"domain\":\"api\",\"surprise\":1,\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}",
        "{\"domain\":\"api\",\"descriptors\":[{\"entries\":[{\"key\":\"\"}]}]}",
        "{\"domain\":\"api\",\"hitsAddend\":-1,\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}",
        "{\"domain\":\"api\",\"hitsAddend\":{},\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}",
        "{\"domain\":\"api\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}],"
            + "\"limit\":{\"unit\":9}}]}",
        "{\"domain\":\"api\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}],\"limit\":7}]}",
        "{\"domain\":\"api\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}],\"hitsAddend\":[1]}]}"
      })
  void answer_anythingElse_is400(String body) {
    Reply reply = ask(body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).isNotBlank().doesNotContain("Exception");
  }

  @Test
  void answer_callerWithoutRole_is403() {
    Caller reader = new Caller("r", Map.of("api", Set.of(Role.READ)));
    assertThat(ask(USER.formatted(""), reader).status()).isEqualTo(403);
    Caller checker = new Caller("c", Map.of("api", Set.of(Role.CHECK)));
    assertThat(ask(USER.formatted(""), checker).status()).isEqualTo(200);
    live.put("api/user", "{\"limits\":[\"1/day\"]}");
    String refund = USER.formatted(",\"isNegativeHits\":true");
    assertThat(ask(refund, checker).status()).isEqualTo(403);
  }
}
