package io.penstock.server.http;

import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a single server tells of shards and nodes; three of them are asked in an IT. */
class ClusterRoutesTest {
  private static final String RESOLVE = "/v1/shards/resolve";
  private static final long SECOND_NANOS = 1_000_000_000;

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private int shard(String query) throws Exception {
    HttpResponse<String> answer = rig.get(RESOLVE + "?" + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(json(answer).get("owner").asText()).isEqualTo("n1");
    assertThat(json(answer).get("epoch").asLong()).isZero();
    return json(answer).get("shard").asInt();
  }

  @Test
  void shards_ofASingleServer_areAllItsOwn() throws Exception {
    rig.heat().read(SECOND_NANOS, shard -> true);
    JsonNode shards = json(rig.get("/v1/shards")).get("shards");
    assertThat(shards).hasSize(256);
    for (int i = 0; i < 256; i++) {
      assertThat(shards.get(i).toString())
          .isEqualTo(
              ("{\"shard\":%d,\"group\":\"shards\",\"owner\":\"n1\","
                      + "\"epoch\":0,\"replicas\":[\"n1\"],\"rate\":0,\"hot\":false}")
                  .formatted(i));
    }
  }

  @Test
  void shards_beforeTheFirstReading_haveNoRate() throws Exception {
    JsonNode shard = json(rig.get("/v1/shards")).at("/shards/17");
    assertThat(shard.get("rate").isNull()).isTrue();
    assertThat(shard.get("hot").asBoolean()).isFalse();
  }

  /** D7: a shard and a key that are asked for far more often than others are told to be hot. */
  @Test
  void hot_keyThatIsHammered_isNamedWithItsShard() throws Exception {
    String check =
        "{\"domain\":\"api\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"a \\\"b\\\"\"}]]}";
    String batch = "{\"checks\":[" + String.join(",", Collections.nCopies(1_000, check)) + "]}";
    for (int i = 0; i < 20; i++) {
      rig.post("/v1/check:batch", batch, "Content-Type", "application/json");
    }
    rig.heat().read(SECOND_NANOS, shard -> true);
    int shard = shard("domain=api&d=user:a%20%22b%22");
    JsonNode told = json(rig.get("/v1/shards")).at("/shards/" + shard);
    assertThat(told.get("hot").asBoolean()).as(told.toString()).isTrue();
    assertThat(told.get("rate").asLong()).isGreaterThan(1_000);
    JsonNode keys = json(rig.get("/v1/shards/hot")).get("keys");
    assertThat(keys).hasSize(1);
    assertThat(keys.get(0).toString())
        .isEqualTo(
            ("{\"domain\":\"api\",\"descriptor\":[{\"key\":\"user\",\"value\":\"a \\\"b\\\"\"}],"
                    + "\"shard\":%d,\"owner\":\"n1\",\"rate\":%s,\"share\":1.0,\"hot\":true}")
                .formatted(shard, told.get("rate")));
  }

  @Test
  void hot_nothingDecided_isEmpty() throws Exception {
    assertThat(rig.get("/v1/shards/hot").body()).isEqualTo("{\"keys\":[]}");
  }

  @Test
  void resolve_manyKeys_spreadOverTheShards() throws Exception {
    Set<Integer> seen = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      seen.add(shard("domain=api&d=user:" + i));
    }
    assertThat(seen).hasSizeGreaterThan(80).allMatch(shard -> shard >= 0 && shard < 256);
  }

  @Test
  void resolve_sameKey_isOneShardHoweverItIsWritten() throws Exception {
    int shard = shard("domain=a%20b&d=plan:free&d=user:%C3%A4:1");
    assertThat(shard("d=plan:free&domain=a+b&d=user%3A%c3%a4%3A1")).isEqualTo(shard);
  }

  @Test
  void resolve_domainValueAndOrder_allCount() throws Exception {
    Set<Integer> seen = new TreeSet<>();
    seen.add(shard("domain=api&d=a:1&d=b:2"));
    seen.add(shard("domain=api&d=b:2&d=a:1"));
    seen.add(shard("domain=api2&d=a:1&d=b:2"));
    seen.add(shard("domain=api&d=a:&d=b:2"));
    assertThat(seen).hasSizeGreaterThan(2);
  }

  @Test
  void resolve_valuesThatShareACounter_areOneShard() throws Exception {
    rig.policy("api/file=*", "{\"limits\":[\"5/min\"],\"share\":[\"file\"]}");
    int shard = shard("domain=api&d=file:a");
    for (int i = 0; i < 20; i++) {
      assertThat(shard("domain=api&d=file:" + i)).isEqualTo(shard);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',domain",
    "?domain=api,d",
    "?d=user:42,domain",
    "?domain=&d=user:42,domain",
    "?domain=api&domain=api&d=user:42,domain",
    "?domain=api&d=user,d",
    "?domain=api&d=:42,d",
    "?domain=api&d,d",
    "?domain=api&d=user:%FF,d",
    "?domain=api&d=user:42&e=1,e",
    "?domain=api&D=user:42,D"
  })
  void resolve_oddQuery_is400AndNamesTheField(String query, String field) throws Exception {
    HttpResponse<String> refused = rig.get(RESOLVE + query);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(json(refused).get("field").asText()).isEqualTo(field);
  }

  @Test
  void resolve_beyondTheBounds_is400() throws Exception {
    String entries = "&d=a:1".repeat(17);
    assertThat(rig.get(RESOLVE + "?domain=api" + entries).statusCode()).isEqualTo(400);
    String key = "k".repeat(1025);
    assertThat(rig.get(RESOLVE + "?domain=api&d=" + key + ":1").statusCode()).isEqualTo(400);
    assertThat(rig.get(RESOLVE + "?domain=" + key + "&d=a:1").statusCode()).isEqualTo(400);
  }

  @Test
  void cluster_ofASingleServer_isOneNodeThatLeads() throws Exception {
    JsonNode cluster = json(rig.get("/v1/cluster"));
    assertThat(cluster.get("node").asText()).isEqualTo("n1");
    assertThat(cluster.get("cluster").isNull()).isTrue();
    assertThat(cluster.at("/groups/0/leader").asText()).isEqualTo("n1");
    assertThat(cluster.at("/nodes/0/reachable").asBoolean()).isTrue();
    assertThat(cluster.at("/nodes/0/groups/0/role").asText()).isEqualTo("leader");
    assertThat(cluster.get("nodes")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"node\":\"n1\"}|400",
        "{}|400",
        "{\"node\":\"\"}|400",
        "{\"node\":1}|400",
        "{\"node\":\"n1\",\"node\":\"n1\"}|400",
        "{\"node\":\"n1\",\"force\":true}|400",
        "n1|400"
      })
  void drain_ofASingleServer_isRefused(String body, int status) throws Exception {
    HttpResponse<String> refused =
        rig.post("/v1/cluster/drain", body, "Content-Type", "application/json");
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
    assertThat(rig.post("/v1/cluster/drain", body).statusCode()).isEqualTo(415);
  }

  @ParameterizedTest
  @ValueSource(strings = {"add", "remove"})
  void nodes_ofASingleServer_areNotChanged(String order) throws Exception {
    String path = "/v1/cluster/" + order;
    String body = "{\"node\":\"n4=127.0.0.1:7001\"}";
    HttpResponse<String> refused = rig.post(path, body, "Content-Type", "application/json");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("expected: one of a cluster");
    assertThat(rig.post(path, body).statusCode()).isEqualTo(415);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"shard\":17,\"node\":\"n1\"}|expected: one of a cluster",
        "{\"shard\":17}|node: missing",
        "{\"node\":\"n1\"}|shard: missing",
        "{\"shard\":\"a\",\"node\":\"n1\"}|shard",
        "{\"shard\":1,\"shard\":1,\"node\":\"n1\"}|given twice",
        "{\"shard\":1,\"node\":\"n1\",\"force\":true}|unknown field"
      })
  void move_ofASingleServer_isRefused(String body, String expected) throws Exception {
    HttpResponse<String> refused =
        rig.post("/v1/cluster/move", body, "Content-Type", "application/json");
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    assertThat(refused.body()).contains(expected);
  }
}
