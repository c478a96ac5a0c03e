package io.penstock.server.http;

import static io.penstock.server.http.Rig.body;
import static io.penstock.server.http.Rig.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HoldRoutesTest {
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    rig = new Rig(folder);
    rig.policy("api/user", "{\"limits\":[\"10/hour\"]}");
    rig.policy(
        "api/job", "{\"limits\":[\"1 concurrent lease 30s\"],\"algorithm\":\"concurrency\"}");
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  private JsonNode reserve(long cost) throws Exception {
    return json(rig.post("/v1/reserve", with(body("api", "user", "a", cost), "ttlMs", 1_000)));
  }

  private JsonNode acquire() throws Exception {
    return json(rig.post("/v1/acquire", with(body("api", "job", "a", 1), "leaseMs", 30_000)));
  }

  private static String with(String body, String field, Object value) {
    return body.replace("}]]", "}]],\"" + field + "\":" + value);
  }

  private long left() throws Exception {
    return rig.check("user", "a", 0).get("remaining").asLong();
  }

  private int settle(String path, String body) throws Exception {
    return rig.post(path, body).statusCode();
  }

  @Test
  void commit_less_givesTheRestBackOnce() throws Exception {
    JsonNode reserved = reserve(6);
    assertThat(reserved.get("allowed").asBoolean()).isTrue();
    assertThat(left()).isEqualTo(4);
    String path = "/v1/reservations/" + reserved.get("reservationId").asText() + "/commit";
    assertThat(settle(path, "{\"cost\":2}")).isEqualTo(200);
    assertThat(settle(path, "{\"cost\":2}")).isEqualTo(200);
    assertThat(left()).isEqualTo(8);
  }

  @Test
  void cancel_reservation_givesAllBack() throws Exception {
    String id = reserve(6).get("reservationId").asText();
    assertThat(settle("/v1/reservations/" + id + "/cancel", "")).isEqualTo(200);
    assertThat(left()).isEqualTo(10);
  }

  @Test
  void reserve_denied_holdsNothing() throws Exception {
    JsonNode denied = reserve(11);
    assertThat(denied.get("allowed").asBoolean()).isFalse();
    assertThat(denied.get("reservationId").isNull()).isTrue();
  }

  @Test
  void commit_afterItsTime_is410AndStaysTaken() throws Exception {
    String id = reserve(6).get("reservationId").asText();
    rig.clock.advance(Duration.ofMillis(1_001));
    assertThat(settle("/v1/reservations/" + id + "/commit", "{\"cost\":1}")).isEqualTo(410);
    assertThat(left()).isEqualTo(4);
  }

  @Test
  void settle_unknownId_is404() throws Exception {
    assertThat(settle("/v1/reservations/none/commit", "{\"cost\":1}")).isEqualTo(404);
    assertThat(settle("/v1/reservations/none/cancel", "")).isEqualTo(404);
    assertThat(settle("/v1/leases/none/renew", "")).isEqualTo(404);
    assertThat(settle("/v1/leases/none/release", "")).isEqualTo(404);
    assertThat(settle("/v1/leases/" + "a".repeat(300) + "/release", "")).isEqualTo(400);
  }

  @Test
  void settle_idOfTheOtherSort_is404AndChangesNothing() throws Exception {
    String lease = acquire().get("leaseId").asText();
    assertThat(settle("/v1/reservations/" + lease + "/cancel", "")).isEqualTo(404);
    assertThat(settle("/v1/reservations/" + lease + "/commit", "{\"cost\":0}")).isEqualTo(404);
    assertThat(acquire().get("allowed").asBoolean()).isFalse();
    String reservation = reserve(6).get("reservationId").asText();
    assertThat(settle("/v1/leases/" + reservation + "/release", "")).isEqualTo(404);
    assertThat(settle("/v1/leases/" + reservation + "/renew", "")).isEqualTo(404);
    rig.clock.advance(Duration.ofMillis(1_001));
    assertThat(settle("/v1/reservations/" + reservation + "/cancel", "")).isEqualTo(410);
  }

  @Test
  void acquire_requestIdOfAReservation_isDecidedByItself() throws Exception {
    String body = with(body("api", "user", "a", 1), "requestId", "\"r1\"");
    String reservation = json(rig.post("/v1/reserve", body)).get("reservationId").asText();
    JsonNode lease = json(rig.post("/v1/acquire", body));
    assertThat(lease.has("duplicate")).isFalse();
    assertThat(left()).isEqualTo(8);
    String id = lease.get("leaseId").asText();
    assertThat(id).isNotEqualTo(reservation);
    assertThat(json(rig.post("/v1/acquire", body)).get("leaseId").asText()).isEqualTo(id);
    assertThat(json(rig.post("/v1/reserve", body)).get("reservationId").asText())
        .isEqualTo(reservation);
    assertThat(left()).isEqualTo(8);
    assertThat(settle("/v1/leases/" + id + "/release", "")).isEqualTo(200);
    assertThat(settle("/v1/reservations/" + reservation + "/cancel", "")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"cost\":-1}", "{\"cost\":1.5}", "{\"cost\":1,\"a\":1}"})
  void commit_oddBody_is400(String body) throws Exception {
    assertThat(settle("/v1/reservations/none/commit", body)).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 86_400_001, Long.MAX_VALUE})
  void reserve_oddTime_is400(long millis) throws Exception {
    String reserve = with(body("api", "user", "a", 1), "ttlMs", millis);
    assertThat(settle("/v1/reserve", reserve)).isEqualTo(400);
  }

  @Test
  void lease_released_freesItsSlot() throws Exception {
    JsonNode first = acquire();
    assertThat(first.get("allowed").asBoolean()).isTrue();
    JsonNode second = acquire();
    assertThat(second.get("allowed").asBoolean()).isFalse();
    assertThat(second.get("leaseId").isNull()).isTrue();
    String lease = "/v1/leases/" + first.get("leaseId").asText();
    assertThat(settle(lease + "/renew", "")).isEqualTo(200);
    assertThat(settle(lease + "/release", "{}")).isEqualTo(200);
    assertThat(settle(lease + "/release", "")).isEqualTo(200);
    assertThat(acquire().get("allowed").asBoolean()).isTrue();
  }
}
