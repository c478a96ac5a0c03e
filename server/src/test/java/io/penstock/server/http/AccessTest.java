package io.penstock.server.http;

import static io.penstock.server.http.Rig.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Bounds;
import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what, with authentication on. */
class AccessTest {
  private static final String USER = "/v1/policies/api%2Fuser";
  private static final String LIMIT = "{\"limits\":[\"10/min\"]}";

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    Path keys =
        Files.writeString(
            folder.resolve("keys.yaml"),
            """
            - {name: checker, key: checker-0123456789, roles: {api: [check]}}
            - {name: reader, key: reader-01234567890, roles: {api: [read]}}
            - {name: admin, key: admin-012345678901, roles: {api: [admin]}}
            - {name: slash, key: slash-012345678901, roles: {api/v1: [admin]}}
            - {name: other, key: other-012345678901, roles: {'api\\': [admin]}}
            - {name: chief, key: chief-012345678901, roles: {"*": [admin]}}
            """);
    Access access = new Access(keys, null, null, null, null);
    Gatekeeper gatekeeper = Gatekeeper.of(access, Clock.systemUTC(), new FileWatch());
    HttpSettings settings = Rig.settings(Bounds.defaults(), List.of(), /* uds= */ null);
    rig = new Rig(folder, gatekeeper, settings);
    rig.policy("api/user", LIMIT);
    rig.policy("billing/user", LIMIT);
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private static String key(String name) {
    return switch (name) {
      case "reader" -> "reader-01234567890";
      case "checker" -> "checker-0123456789";
      default -> name + "-012345678901";
    };
  }

  private int check(String name, String domain, long cost) throws Exception {
    return rig.post("/v1/check", body(domain, "user", "a", cost), "X-API-Key", key(name))
        .statusCode();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/policies",
        "/v1/tiers",
        "/metrics",
        "/v1/shards",
        "/v1/shards/hot",
        "/v1/cluster",
        USER,
        "/v1/forward-auth/api/user:X-User"
      })
  void request_byNobody_is401(String path) throws Exception {
    HttpResponse<String> refused = rig.get(path);
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate").orElse("")).startsWith("Bearer");
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(rig.get(path, "X-API-Key", "wrong-0123456789012").statusCode()).isEqualTo(401);
    assertThat(rig.get(path, "Authorization", "Basic YTpi").statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/readyz", "/healthcheck", "/openapi.json", "/"})
  void request_byNobody_seesWhatIsOpen(String path) throws Exception {
    assertThat(rig.get(path).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"checker,api,200", "checker,billing,403", "reader,api,403", "chief,billing,200"})
  void check_byRoleInDomain_isAllowedOrNot(String name, String domain, int status)
      throws Exception {
    assertThat(check(name, domain, 1)).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "reserve,reservations,cancel,reservationId",
    "reserve,reservations,commit,reservationId",
    "acquire,leases,renew,leaseId",
    "acquire,leases,release,leaseId"
  })
  void hold_settledByRole_isForThoseWhoMayTake(
      String take, String held, String settling, String field) throws Exception {
    rig.policy(
        "api/slot", "{\"limits\":[\"9 concurrent lease 30s\"],\"algorithm\":\"concurrency\"}");
    String what = take.equals("acquire") ? "slot" : "user";
    HttpResponse<String> taken =
        rig.post("/v1/" + take, body("api", what, "a", 1), "X-API-Key", key("checker"));
    String path = "/v1/" + held + "/" + Rig.json(taken).get(field).asText() + "/" + settling;
    String cost = settling.equals("commit") ? "{\"cost\":1}" : "";
    HttpResponse<String> refused = rig.post(path, cost, "X-API-Key", key("reader"));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("role check is missing in every domain");
    assertThat(rig.post(path, cost, "X-API-Key", key("checker")).statusCode()).isEqualTo(200);
  }

  @Test
  void check_keyBesideAnAuthorizationOfNobody_isAllowed() throws Exception {
    String[] both = {"Authorization", "Basic YTpi", "X-API-Key", key("checker")};
    assertThat(rig.post("/v1/check", body("api", "user", "a", 1), both).statusCode())
        .isEqualTo(200);
    both[1] = "Bearer " + key("reader");
    assertThat(rig.post("/v1/check", body("api", "user", "a", 1), both).statusCode())
        .isEqualTo(403);
  }

  @Test
  void check_refund_needsTheAdminOfTheDomain() throws Exception {
    assertThat(check("checker", "api", -1)).isEqualTo(403);
    assertThat(check("admin", "api", -1)).isEqualTo(200);
  }

  @Test
  void check_refundBesideADescriptorWithoutPolicy_isForThoseWhoMayCheck() throws Exception {
    rig.policy("api/guest", "{\"limits\":[\"10/min\"],\"refunds\":true}");
    String both =
        body("api", "guest", "a", -1).replace("]]", "],[{\"key\":\"ip\",\"value\":\"1\"}]]");
    HttpResponse<String> done = rig.post("/v1/check", both, "X-API-Key", key("checker"));
    assertThat(done.statusCode()).isEqualTo(200);
    assertThat(Rig.json(done).get("allowed").asBoolean()).isTrue();
    assertThat(Rig.json(done).get("results").findValuesAsText("reason"))
        .containsExactly("ok", "no-policy");
  }

  @Test
  void key_asBearer_isTheSame() throws Exception {
    assertThat(rig.get(USER, "Authorization", "Bearer " + key("reader")).statusCode())
        .isEqualTo(200);
  }

  /** What shows nobody is as if it was not there; what shows somebody counts before the key. */
  @ParameterizedTest
  @CsvSource({
    "Basic YTpi, reader, 200",
    "Bearer of-the-application, reader, 200",
    "Bearer of-the-application, checker, 403",
    "Bearer of-the-application, nobody, 401",
    "Basic YTpi, nobody, 401",
    "Bearer checker-0123456789, chief, 403",
    "Bearer reader-01234567890, checker, 200",
    "Bearer reader-01234567890, nobody, 200"
  })
  void key_besideAnAuthorization_countsIfThatShowsNobody(
      String authorization, String name, int status) throws Exception {
    String[] both = {"Authorization", authorization, "X-API-Key", key(name)};
    assertThat(rig.get(USER, both).statusCode()).isEqualTo(status);
  }

  @Test
  void policies_byRoleInDomain_areReadAndWritten() throws Exception {
    assertThat(rig.get(USER, "X-API-Key", key("checker")).statusCode()).isEqualTo(403);
    String[] any = {"If-Match", "*", "X-API-Key", key("reader")};
    assertThat(rig.put(USER, LIMIT, any).statusCode()).isEqualTo(403);
    assertThat(rig.delete(USER, any).statusCode()).isEqualTo(403);
    any[3] = key("admin");
    assertThat(rig.put(USER, LIMIT, any).statusCode()).isEqualTo(200);
    assertThat(rig.put("/v1/policies/billing%2Fuser", LIMIT, any).statusCode()).isEqualTo(403);
    assertThat(rig.get(USER + "/history", "X-API-Key", key("admin")).body()).contains("\"admin\"");
  }

  @Test
  void policies_ofADomainWithASlash_areThoseOfItsAdminOnly() throws Exception {
    String path = "/v1/policies/api%5C%2Fv1%2Fuser";
    String[] create = {"If-None-Match", "*", "X-API-Key", key("other")};
    assertThat(rig.put(path, LIMIT, create).statusCode()).isEqualTo(403);
    create[3] = key("admin");
    assertThat(rig.put(path, LIMIT, create).statusCode()).isEqualTo(403);
    create[3] = key("slash");
    assertThat(rig.put(path, LIMIT, create).statusCode()).isEqualTo(201);
    assertThat(rig.get(path, "X-API-Key", key("slash")).statusCode()).isEqualTo(200);
    assertThat(rig.get(path, "X-API-Key", key("other")).statusCode()).isEqualTo(403);
    assertThat(rig.get("/v1/policies", "X-API-Key", key("slash")).body()).contains("v1/user");
    assertThat(rig.get("/v1/policies", "X-API-Key", key("other")).body()).doesNotContain("user");
  }

  @Test
  void list_ofPolicies_showsOwnDomainsOnly() throws Exception {
    assertThat(rig.get("/v1/policies", "X-API-Key", key("reader")).body())
        .contains("api/user")
        .doesNotContain("billing");
    assertThat(rig.get("/v1/policies", "X-API-Key", key("chief")).body()).contains("billing/user");
    HttpResponse<String> refused = rig.get("/v1/policies", "X-API-Key", key("checker"));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("role read is missing in every domain");
  }

  @Test
  void tiersAndMetrics_belongToAllDomains() throws Exception {
    for (String path : List.of("/v1/tiers", "/v1/tiers/free/history", "/metrics")) {
      assertThat(rig.get(path, "X-API-Key", key("admin")).statusCode()).isEqualTo(403);
      assertThat(rig.get(path, "X-API-Key", key("chief")).statusCode()).isNotEqualTo(403);
    }
  }

  @Test
  void keys_byOthersThanAdmin_is403() throws Exception {
    String reset = body("api", "user", "a", 1).replace(",\"cost\":1", "");
    String[] headers = {"Content-Type", "application/json", "X-API-Key", key("checker")};
    assertThat(rig.post("/v1/keys/reset", reset, headers).statusCode()).isEqualTo(403);
    headers[3] = key("admin");
    assertThat(rig.post("/v1/keys/reset", reset, headers).statusCode()).isEqualTo(200);
  }

  @Test
  void forwardAuth_clientShowsItsOwnToken_countsTheGateway() throws Exception {
    HttpResponse<String> passed =
        rig.get(
            "/v1/forward-auth/api/user:Authorization",
            "Authorization",
            "Bearer of-the-application",
            "X-API-Key",
            key("checker"));
    assertThat(passed.statusCode()).isEqualTo(200);
    assertThat(passed.headers().firstValue("X-RateLimit-Remaining")).hasValue("9");
  }

  @Test
  void expect_ofNobodyKnown_isRefusedWithoutAskingForTheBody() throws Exception {
    String head = "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n";
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      String answer = socket.send(head + "Expect: 100-continue\r\n\r\n").readToEnd();
      assertThat(RawSocket.statuses(answer)).containsExactly(401);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/shards,chief,200",
    "/v1/shards,reader,403",
    "/v1/shards/hot,chief,200",
    "/v1/shards/hot,reader,403",
    "/v1/cluster,chief,200",
    "/v1/cluster,reader,403",
    "/v1/shards/resolve?domain=api&d=user:1,reader,200",
    "/v1/shards/resolve?domain=api&d=user:1,checker,403",
    "/v1/shards/resolve?domain=billing&d=user:1,reader,403"
  })
  void shards_byRole_areToldToReaders(String path, String name, int status) throws Exception {
    assertThat(rig.get(path, "X-API-Key", key(name)).statusCode()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"drain", "add", "remove"})
  void nodes_byAnAdminOfOneDomain_are403(String order) throws Exception {
    String[] type = {"Content-Type", "application/json", "X-API-Key", key("admin")};
    assertThat(rig.post("/v1/cluster/" + order, "{\"node\":\"n1\"}", type).statusCode())
        .isEqualTo(403);
  }

  /** The short way of plain checks says it in the same bytes as the long one. */
  @ParameterizedTest
  @CsvSource({"checker,billing,1", "checker,api,-1", "reader,api,1"})
  void check_withoutTheRole_isRefusedTheSameOnBothWays(String name, String domain, long cost)
      throws Exception {
    String shortWay = ask(name, body(domain, "user", "a", cost), "X-Any: any");
    String longWay = ask(name, body(domain, "user", "a", cost), "Upgrade: nothing");

    assertThat(RawSocket.statuses(shortWay)).containsExactly(403, 404);
    assertThat(shortWay).isEqualTo(longWay);
  }

  private String ask(String name, String body, String field) throws Exception {
    String check =
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nX-API-Key: %s\r\n%s\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(key(name), field, body.length(), body);
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      return socket.send(check + RawSocket.LAST).readToEnd();
    }
  }
}
