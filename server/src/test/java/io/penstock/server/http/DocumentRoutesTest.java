package io.penstock.server.http;

import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentRoutesTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final String FIVE = "{\"limits\": [\"5/s\"] }";
  private static final String SIX = "{\"limits\":[\"6/s\"]}";

  private static Rig rig;

  /** Each test has a scope of its own. */
  private final String key = "user" + NUMBER.incrementAndGet();

  private final String path = "/v1/policies/api%2F" + key;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  private HttpResponse<String> create() throws Exception {
    return rig.put(path, FIVE, "If-None-Match", "*");
  }

  private static void assertProblem(HttpResponse<String> response, int status) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(json(response).get("status").asInt()).isEqualTo(status);
    assertThat(json(response).get("title").asText()).isNotEmpty();
  }

  @Test
  void put_ifNoneMatch_createsOnce() throws Exception {
    HttpResponse<String> created = create();
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.headers().firstValue("ETag")).hasValue("\"1\"");
    assertThat(json(created).get("version").asLong()).isEqualTo(1);
    assertProblem(create(), 412);
  }

  @Test
  void get_afterPut_givesTheDocumentAsItWasPut() throws Exception {
    create();
    HttpResponse<String> got = rig.get(path);
    assertThat(got.headers().firstValue("ETag")).hasValue("\"1\"");
    assertThat(got.body())
        .isEqualTo("{\"scope\":\"api/" + key + "\",\"version\":1,\"policy\":" + FIVE + "}");
    HttpResponse<String> known = rig.get(path, "If-None-Match", "\"1\"");
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    assertThat(rig.get(path, "If-None-Match", "\"2\"").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "\"1\";304",
        "W/\"1\";304",
        "\"77\", \"1\";304",
        "\"77\",W/\"1\" ,\"x\";304",
        "\"a, b\",\"1\";304",
        ", ,\"1\";304",
        "*;304",
        "\"2\";200",
        "\"77\", W/\"2\";200",
        "w/\"1\";200",
        "1;200",
        "\"x,\"1\";200",
      })
  void get_ifNoneMatch_comparesWeaklyWithEachOfTheList(String tags, int status) throws Exception {
    create();
    assertThat(rig.get(path, "If-None-Match", tags).statusCode()).isEqualTo(status);
    String[] lines = {"If-None-Match", "\"77\"", "If-None-Match", tags};
    assertThat(rig.get(path, lines).statusCode()).isEqualTo(tags.equals("*") ? 200 : status);
  }

  @Test
  void put_ifMatch_replacesThatVersionOnly() throws Exception {
    create();
    HttpResponse<String> replaced = rig.put(path, SIX, "If-Match", "\"1\"");
    assertThat(replaced.statusCode()).isEqualTo(200);
    assertThat(replaced.headers().firstValue("ETag")).hasValue("\"2\"");
    assertProblem(rig.put(path, FIVE, "If-Match", "\"1\""), 412);
    assertThat(rig.put(path, FIVE, "If-Match", "*").statusCode()).isEqualTo(200);
    assertThat(rig.check(key, "a", 1).get("limit").asLong()).isEqualTo(5);
    assertThat(rig.check(key, "a", 0).get("policyVersion").asLong()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"1\"", "*"})
  void write_ifMatchOnMissing_is412(String tag) throws Exception {
    assertProblem(rig.put(path, FIVE, "If-Match", tag), 412);
    assertProblem(rig.delete(path, "If-Match", tag), 412);
  }

  @Test
  void write_withoutPrecondition_is428() throws Exception {
    create();
    HttpResponse<String> put = rig.put(path, SIX);
    assertProblem(put, 428);
    assertThat(json(put).get("detail").asText()).contains("If-Match", "If-None-Match: *");
    HttpResponse<String> delete = rig.delete(path);
    assertProblem(delete, 428);
    assertThat(json(delete).get("detail").asText()).contains("If-Match").doesNotContain("None");
    assertThat(json(rig.get(path)).get("version").asLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "W/\"1\"", "\"1", "\"\"", "\"x\"", "\"01\"", "\"-1\"", "\"1\",\"2\""})
  void write_oddTag_is400(String tag) throws Exception {
    create();
    assertProblem(rig.put(path, SIX, "If-Match", tag), 400);
    assertProblem(rig.delete(path, "If-Match", tag), 400);
    assertProblem(rig.put(path, SIX, "If-None-Match", tag), 400);
    assertProblem(rig.put(path, SIX, "If-None-Match", "*", "If-Match", "\"1\""), 400);
    assertProblem(rig.delete(path, "If-None-Match", "*", "If-Match", "\"1\""), 400);
  }

  @ParameterizedTest
  @CsvSource({"'\"1\"','\"7\"'", "'\"7\"','\"1\"'", "*,'\"1\"'", "'\"1\"','\"1\"'"})
  void write_tagsOnTwoLines_is400(String one, String other) throws Exception {
    create();
    String[] tags = {"If-Match", one, "If-Match", other};
    assertProblem(rig.put(path, SIX, tags), 400);
    assertProblem(rig.delete(path, tags), 400);
    assertProblem(rig.put(path, SIX, "If-None-Match", "*", "If-None-Match", one), 400);
    assertThat(json(rig.get(path)).get("version").asLong()).isEqualTo(1);
  }

  @Test
  void delete_thenCreate_goesOnWithVersions() throws Exception {
    create();
    HttpResponse<String> deleted = rig.delete(path, "If-Match", "\"1\"");
    assertThat(deleted.statusCode()).isEqualTo(204);
    assertThat(deleted.body()).isEmpty();
    assertProblem(rig.get(path), 404);
    assertThat(create().headers().firstValue("ETag")).hasValue("\"3\"");
    JsonNode history = json(rig.get(path + "/history")).get("history");
    assertThat(history)
        .extracting(each -> each.get("version").asLong())
        .containsExactly(3L, 2L, 1L);
    assertThat(history.get(1).get("policy").isNull()).isTrue();
    assertThat(history.get(0).get("policy").get("limits").get(0).asText()).isEqualTo("5/s");
    assertThat(history.get(0).get("by").asText()).isEqualTo("anonymous");
    assertThat(Instant.parse(history.get(0).get("at").asText()))
        .isEqualTo(Instant.ofEpochSecond(0, rig.clock.nanos()));
  }

  @Test
  void put_badDocument_tellsEveryProblem() throws Exception {
    String bad = "{\"limits\":[\"5/s\",\"10/x\"],\"algorithm\":\"magic\"}";
    HttpResponse<String> refused = rig.put(path, bad, "If-None-Match", "*");
    assertProblem(refused, 400);
    JsonNode errors = json(refused).get("errors");
    assertThat(errors)
        .extracting(error -> error.get("field").asText())
        .containsExactlyInAnyOrder("limits[1]", "algorithm");
    assertThat(errors).allSatisfy(error -> assertThat(error.get("expected").asText()).isNotEmpty());
    assertProblem(rig.get(path), 404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{", "null", "{}{}", "{\"limits\":[\"5/s\"],\"limits\":[]}"})
  void put_noDocument_is400(String body) throws Exception {
    assertProblem(rig.put(path, body, "If-None-Match", "*"), 400);
  }

  @ParameterizedTest
  @CsvSource({"api/KEY,404", "api%2FKEY%2F,404", "api%2FKEY/,404", "API%2FKEY,404"})
  void get_anotherPath_isAnotherPlace(String other, int status) throws Exception {
    create();
    assertProblem(rig.get("/v1/policies/" + other.replace("KEY", key)), status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s/user", "api/%s", "api/user=a/%s=b"})
  void put_scopeThatNoCheckCanHave_is400(String scope) throws Exception {
    String longest = "/v1/policies/" + encoded(scope.formatted("é".repeat(512)));
    assertThat(rig.put(longest, SIX, "If-None-Match", "*").statusCode()).isEqualTo(201);
    assertThat(rig.delete(longest, "If-Match", "*").statusCode()).isEqualTo(204);
    String longer = "/v1/policies/" + encoded(scope.formatted("é".repeat(513)));
    HttpResponse<String> refused = rig.put(longer, SIX, "If-None-Match", "*");
    assertProblem(refused, 400);
    JsonNode problem = json(refused).get("errors").get(0);
    assertThat(problem.get("field").asText()).isEqualTo("scope");
    assertThat(problem.get("value").asText()).isEqualTo("é".repeat(64) + "…");
    assertThat(problem.get("expected").asText()).contains("at most 1024 bytes", "not 1026");
    assertThat(rig.get(longer).statusCode()).isEqualTo(404);
  }

  private static String encoded(String scope) {
    return URLEncoder.encode(scope, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/policies?foo=1, foo, '1', 'only after, limit'",
    "/v1/policies?limit=1&limit=2, limit, '2, given twice', once",
    "/v1/policies?after=a&after=a, after, 'a, given twice', once",
    "/v1/policies?limit, limit, nothing, limit=…",
    "/v1/policies?Limit=1, Limit, '1', 'only after, limit'",
    "/v1/tiers?forgive=true, forgive, true, 'only after, limit'",
    "/v1/policies/api%2Fuser?version=1, version, '1', no query",
    "/v1/policies/api%2Fuser/history?limit=1&limit=1, limit, '1, given twice', once",
    "/v1/cluster?node=n2, node, n2, no query"
  })
  void query_unknownOrGivenTwice_is400(String path, String name, String value, String expected)
      throws Exception {
    HttpResponse<String> refused = rig.get(path);
    assertProblem(refused, 400);
    assertThat(json(refused).get("field").asText()).isEqualTo(name);
    assertThat(json(refused).get("detail").asText())
        .isEqualTo(name + ": " + value + " (expected: " + expected + ")");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"?forgiv=true", "?forgive=true&forgive=false", "?forgive", "?FORGIVE=true"})
  void put_queryThatIsNotUnderstood_changesNothing(String query) throws Exception {
    String path = "/v1/policies/zz%2Fquery";
    assertProblem(rig.put(path + query, SIX, "If-None-Match", "*"), 400);
    assertThat(rig.get(path).statusCode()).isEqualTo(404);
    rig.put(path, SIX, "If-None-Match", "*");
    assertProblem(rig.delete(path + "?forgive=true", "If-Match", "*"), 400);
    assertThat(rig.delete(path, "If-Match", "*").statusCode()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/healthz?a=1", "/readyz?a=1&a=2", "/metrics?a=1", "/?a", "/openapi.json?a"})
  void query_ofAProbeOrBrowser_isIgnored(String path) throws Exception {
    assertThat(rig.get(path).statusCode()).isEqualTo(200);
  }

  @Test
  void list_page_goesOnAfterTheLast() throws Exception {
    for (String scope : new String[] {"zz/a", "zz/b", "zz/c"}) {
      rig.policy(scope, SIX);
    }
    JsonNode first = json(rig.get("/v1/policies?limit=2&after=zz"));
    assertThat(first.get("policies"))
        .extracting(each -> each.get("scope").asText())
        .containsExactly("zz/a", "zz/b");
    JsonNode second = json(rig.get("/v1/policies?limit=2&after=zz%2Fb"));
    assertThat(first.get("next").asText()).isEqualTo("zz/b");
    assertThat(second.get("policies"))
        .extracting(each -> each.get("policy").get("limits").get(0).asText())
        .containsExactly("6/s");
    assertThat(second.has("next")).isFalse();
  }

  @Test
  void history_ofWhatNeverWas_is404() throws Exception {
    assertProblem(rig.get(path + "/history"), 404);
    assertProblem(rig.get("/v1/tiers/none/history"), 404);
  }

  @Test
  void tier_changed_changesItsPolicies() throws Exception {
    assertThat(rig.put("/v1/tiers/free", FIVE, "If-None-Match", "*").statusCode()).isEqualTo(201);
    rig.policy("api/" + key, "{\"tier\":\"free\"}");
    assertThat(rig.check(key, "a", 2).get("remaining").asLong()).isEqualTo(3);
    assertThat(rig.put("/v1/tiers/free", SIX, "If-Match", "\"1\"").statusCode()).isEqualTo(200);
    assertThat(rig.check(key, "a", 0).get("remaining").asLong()).isEqualTo(4);
    assertThat(json(rig.get("/v1/tiers")).get("tiers")).hasSize(1);
    assertThat(json(rig.get("/v1/tiers/free")).get("name").asText()).isEqualTo("free");
  }
}
