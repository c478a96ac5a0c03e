package io.penstock.server.http;

import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.server.Bounds;
import io.penstock.server.security.Gatekeeper;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardAuthTest {
  private static final String USER = "/v1/forward-auth/api/user:X-User";

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    HttpSettings settings = Rig.settings(Bounds.defaults(), List.of("127.0.0.1"), /* uds= */ null);
    rig = new Rig(folder, Gatekeeper.open(), settings);
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private static @Nullable String field(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse(null);
  }

  private static Set<String> fields(HttpResponse<String> response) {
    return response.headers().map().keySet().stream()
        .map(String::toLowerCase)
        .filter(name -> name.contains("ratelimit") || name.equals("retry-after"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void answer_allowedThenDenied_tellsTheLimits() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"1/min\",\"5/day\"]}");
    HttpResponse<String> passed = rig.get(USER, "X-User", "a");
    assertThat(passed.statusCode()).isEqualTo(200);
    assertThat(passed.body()).isEmpty();
    assertThat(field(passed, "RateLimit-Policy"))
        .isEqualTo("\"api/user#min\";q=1;w=60, \"api/user#day\";q=5;w=86400");
    assertThat(field(passed, "RateLimit"))
        .isEqualTo("\"api/user#min\";r=0;t=60, \"api/user#day\";r=4;t=17280");
    assertThat(field(passed, "X-RateLimit-Limit")).isEqualTo("1");
    assertThat(field(passed, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(field(passed, "X-RateLimit-Reset")).isEqualTo("60");
    assertThat(field(passed, "Retry-After")).isNull();

    HttpResponse<String> denied = rig.get(USER, "x-user", "a");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(field(denied, "Retry-After")).isEqualTo("60");
    assertThat(field(denied, "Content-Type")).isEqualTo("application/problem+json");
    JsonNode problem = json(denied);
    assertThat(problem.get("type").asText())
        .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
    assertThat(problem.get("title").asText()).isNotEmpty();
    assertThat(problem.get("status").asInt()).isEqualTo(429);
    assertThat(problem.get("violated-policies"))
        .extracting(JsonNode::asText)
        .containsExactly("api/user#min");
    assertThat(rig.get(USER, "X-User", "b").statusCode()).isEqualTo(200);
  }

  @Test
  void answer_waitingDoesNotHelp_saysToRetryInADay() throws Exception {
    rig.policy("api/user", "{\"blocked\":true}");
    HttpResponse<String> blocked = rig.get(USER, "X-User", "a");
    assertThat(blocked.statusCode()).isEqualTo(429);
    assertThat(field(blocked, "Retry-After")).isEqualTo("86400");
    assertThat(rig.check("user", "a", 1).get("retryAfterMs").asLong()).isEqualTo(-1);
    HttpResponse<String> json =
        rig.post(
            "/json",
            "{\"domain\":\"api\",\"descriptors\":"
                + "[{\"entries\":[{\"key\":\"user\",\"value\":\"a\"}]}]}");
    assertThat(json.statusCode()).isEqualTo(429);
    assertThat(field(json, "Retry-After")).isEqualTo("86400");
  }

  @Test
  void answer_sameKeyOverJson_isTheSameCounter() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/min\"]}");
    rig.get(USER, "X-User", "a");
    assertThat(rig.check("user", "a", 1).get("remaining").asLong()).isEqualTo(8);
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String utf8 =
          "GET "
              + USER
              + " HTTP/1.1\r\nHost: a\r\nX-User: \u00c3\u00a9\r\nConnection: close\r\n\r\n";
      assertThat(socket.send(utf8).readToEnd()).contains("X-RateLimit-Remaining: 9");
    }
    assertThat(rig.check("user", "é", 0).get("remaining").asLong()).isEqualTo(9);
  }

  private String left(String latin1) throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String head = "GET " + USER + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-User: ";
      String answer = socket.send(head + latin1 + "\r\n\r\n").readToEnd();
      return answer.replaceAll("(?s).*X-RateLimit-Remaining: (\\d+).*", "$1");
    }
  }

  @Test
  void answer_valueThatIsNotUtf8_isAKeyOfItsOwn() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/min\"]}");
    for (String value : List.of("\u00c3\u00a9", "\u00e9", "\u00e8", "a\u00e9", "\u00e9\u00e9")) {
      assertThat(left(value)).as(value).isEqualTo("9");
    }
    assertThat(left("\u00e9")).isEqualTo("8");
    assertThat(rig.check("user", "é", 0).get("remaining").asLong()).isEqualTo(9);
    assertThat(left("\u00e9".repeat(8192))).isEqualTo("9");
    assertThat(left("\u00e9".repeat(8193))).contains(" 400 ", "8193 bytes (expected: 0..8192");
    HttpResponse<String> tried = rig.post("/v1/policies/api%2Fuser/dry-run", "{\"blocked\":true}");
    assertThat(json(tried).get("topKeys").findValuesAsText("key")).contains("user=?", "user=é");
    for (int i = 7; i >= 0; i--) {
      assertThat(left("\u00e9")).isEqualTo("" + i);
    }
    rig.heat().read(/* elapsedNanos= */ 1_000_000_000, shard -> true);
    assertThat(json(rig.get("/v1/shards/hot")).findValuesAsText("value")).contains("?");
  }

  @Test
  void answer_missingHeaders_leaveTheirEntriesOut() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/min\"]}");
    String two = "/v1/forward-auth/api/plan:X-Plan,user:X-User";
    assertThat(field(rig.get(two, "X-User", "a"), "X-RateLimit-Remaining")).isEqualTo("9");
    assertThat(fields(rig.get(two, "X-Plan", "p", "X-User", "a"))).isEmpty();
    HttpResponse<String> nothing = rig.get(two);
    assertThat(nothing.statusCode()).isEqualTo(200);
    assertThat(fields(nothing)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"})
  void answer_anyMethod_ignoresWhatIsTheClients(String method) throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/min\"]}");
    String request =
        " "
            + USER
            + "/a/../b%zz?c=%zz&user=x HTTP/1.1\r\nHost: a\r\nX-User: a\r\nContent-Length: 8\r\n";
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      socket.send(method + request + "Connection: close\r\n\r\nnot JSON");
      assertThat(socket.readToEnd())
          .startsWith("HTTP/1.1 200 ")
          .contains("X-RateLimit-Remaining: 9");
    }
  }

  @Test
  void answer_noPolicyUnlimitedOrShadow_isNever429() throws Exception {
    assertThat(fields(rig.get(USER, "X-User", "a"))).isEmpty();
    rig.policy("api/user", "{\"unlimited\":true}");
    assertThat(fields(rig.get(USER, "X-User", "a"))).isEmpty();
    rig.policy("api/plan", "{\"limits\":[\"1/min\"],\"shadow\":true}");
    String plan = "/v1/forward-auth/api/plan:X-Plan";
    rig.get(plan, "X-Plan", "a");
    HttpResponse<String> shadow = rig.get(plan, "X-Plan", "a");
    assertThat(shadow.statusCode()).isEqualTo(200);
    assertThat(field(shadow, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(field(shadow, "Retry-After")).isNull();
  }

  /** Shadow is about limits; whoever orders a block means it. */
  @Test
  void answer_shadowPolicyOfAKeyBlockedByAnOrder_is429() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"10/min\"],\"shadow\":true}");
    String until = ",\"until\":" + (rig.clock.nanos() / 1_000_000 + 60_000);
    String block = Rig.body("api", "user", "a", 1).replace(",\"cost\":1", until);
    HttpResponse<String> ordered =
        rig.post("/v1/keys/block", block, "Content-Type", "application/json");
    assertThat(ordered.statusCode()).isEqualTo(200);
    HttpResponse<String> blocked = rig.get(USER, "X-User", "a");
    assertThat(blocked.statusCode()).isEqualTo(429);
    assertThat(field(blocked, "Retry-After")).isEqualTo("60");
    assertThat(rig.check("user", "a", 1).get("reason").asText()).isEqualTo("blocked");
    assertThat(rig.get(USER, "X-User", "b").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "user",
        "user:",
        ":X-User",
        "user:X-User,",
        ",user:X-User",
        "user:X%20User",
        "user:X:User",
        "user:@host",
        "user:X-User%zz",
        "%ff:X-User"
      })
  void answer_oddEntries_is400(String entries) throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String request =
          "GET /v1/forward-auth/api/" + entries + " HTTP/1.1\r\nHost: a\r\nConnection: close";
      assertThat(RawSocket.statuses(socket.send(request + "\r\n\r\n").readToEnd()))
          .containsExactly(400);
    }
  }

  @Test
  void answer_valueBeyondTheBound_is400AsOfACheck() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"5/min\"]}");
    HttpResponse<String> longest = rig.get(USER, "X-User", "v".repeat(8192));
    assertThat(field(longest, "X-RateLimit-Remaining")).isEqualTo("4");

    HttpResponse<String> refused = rig.get(USER, "X-User", "v".repeat(8193));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(json(refused).get("detail").asText())
        .isEqualTo("X-User: 8193 bytes (expected: 0..8192 bytes)");
    assertThat(rig.post("/v1/check", Rig.body("api", "user", "v".repeat(8193), 1)).statusCode())
        .isEqualTo(400);
  }

  @Test
  void answer_keyBeyondTheBound_isMeasuredInBytes() throws Exception {
    String longest = "%C3%A4".repeat(512);
    String path = "/v1/forward-auth/api/%s:X-User";
    assertThat(rig.get(path.formatted(longest), "X-User", "a").statusCode()).isEqualTo(200);
    assertThat(rig.get(path.formatted(longest + "k"), "X-User", "a").statusCode()).isEqualTo(400);
  }

  @Test
  void answer_anyQuery_isIgnored() throws Exception {
    rig.policy("api/user", "{\"limits\":[\"5/min\"]}");
    rig.get(USER + "?a=1&a=2&limit=x", "X-User", "a");
    assertThat(rig.check("user", "a", 0).get("remaining").asLong()).isEqualTo(4);
  }

  /** Whoever asks so would take a 200 for a tunnel. */
  @ParameterizedTest
  @ValueSource(strings = {USER, USER + "/more", "/v1/check", "/healthz"})
  void connect_anyPlace_is405(String path) throws Exception {
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String request = "CONNECT " + path + " HTTP/1.1\r\nHost: a\r\nX-User: a\r\n\r\n";
      String answers = socket.send(request + RawSocket.LAST).readToEnd();
      assertThat(RawSocket.statuses(answers)).containsExactly(405, 404);
      assertThat(answers).containsPattern("(?i)allow: [A-Z]");
    }
  }

  @Test
  void answer_tooFewSegments_is404() throws Exception {
    assertThat(rig.get("/v1/forward-auth/api").statusCode()).isEqualTo(404);
    assertThat(rig.get("/v1/forward-auth").statusCode()).isEqualTo(404);
    assertThat(rig.get("/v1/forward-auth//user:X-User").statusCode()).isEqualTo(400);
  }

  @Test
  void answer_address_isThatBehindTheTrustedProxy() throws Exception {
    rig.policy("api/ip", "{\"limits\":[\"10/min\"]}");
    rig.get("/v1/forward-auth/api/ip:@ip", "X-Forwarded-For", "6.6.6.6, 10.1.2.3");
    assertThat(rig.check("ip", "10.1.2.3", 0).get("remaining").asLong()).isEqualTo(9);
    assertThat(rig.check("ip", "6.6.6.6", 0).get("remaining").asLong()).isEqualTo(10);
    rig.get("/v1/forward-auth/api/ip:@ip");
    assertThat(rig.check("ip", "127.0.0.1", 0).get("remaining").asLong()).isEqualTo(9);
  }
}
