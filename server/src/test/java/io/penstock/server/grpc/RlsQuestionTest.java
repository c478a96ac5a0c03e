package io.penstock.server.grpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UInt64Value;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.Bounds;
import io.penstock.server.node.Asked;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RlsQuestionTest {
  private static final Bounds BOUNDS = Bounds.defaults();
  private static final RlsQuestion QUESTION = new RlsQuestion(BOUNDS);

  private static RateLimitDescriptor.Builder user(String value) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey("user").setValue(value);
    return descriptor;
  }

  private static RateLimitRequest.Builder request(RateLimitDescriptor.Builder... descriptors) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    for (RateLimitDescriptor.Builder descriptor : descriptors) {
      request.addDescriptors(descriptor);
    }
    return request;
  }

  private static Asked first(RateLimitRequest.Builder request) {
    return QUESTION.read(request.build(), /* mayRefund= */ true).asked().get(0);
  }

  @Test
  void read_severalDescriptors_keepsTheirOrder() {
    var check = QUESTION.read(request(user("2"), user("1")).build(), /* mayRefund= */ false);
    assertThat(check.domain()).isEqualTo("api");
    assertThat(check.requestId()).isNull();
    assertThat(check.mayRefund()).isFalse();
    assertThat(check.asked())
        .extracting(Asked::descriptor)
        .containsExactly(Descriptor.of("user", "2"), Descriptor.of("user", "1"));
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "7,7", "-1,4294967295"})
  void read_hitsOfRequest_areTheCostAndZeroMeansOne(int hits, long cost) {
    assertThat(first(request(user("1")).setHitsAddend(hits)).cost()).isEqualTo(cost);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "3,3", "9223372036854775807,9223372036854775807", "-1,9223372036854775807"})
  void read_hitsOfDescriptor_replaceThoseOfRequest(long hits, long cost) {
    RateLimitDescriptor.Builder own = user("1").setHitsAddend(UInt64Value.of(hits));
    assertThat(first(request(own).setHitsAddend(5)).cost()).isEqualTo(cost);
    assertThat(first(request(own.setIsNegativeHits(true)).setHitsAddend(5)).cost())
        .isEqualTo(-cost);
  }

  @Test
  void read_negativeHitsOfRequest_areGivenBack() {
    RateLimitDescriptor.Builder back = user("1").setIsNegativeHits(true);
    assertThat(first(request(back).setHitsAddend(5)).cost()).isEqualTo(-5);
  }

  @ParameterizedTest
  @CsvSource({"1,5/s", "2,5/min", "3,5/hour", "4,5/day", "5,5/month", "6,5/year", "7,5/week"})
  void read_limitOfDescriptor_isGiven(int unit, String limit) {
    RateLimitOverride.Builder override = RateLimitOverride.newBuilder().setRequestsPerUnit(5);
    Asked asked = first(request(user("1").setLimit(override.setUnitValue(unit))));
    assertThat(asked.given()).isEqualTo(Limit.parse(limit));
    assertThat(asked.cost()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "1,1000000000,1000000000/s",
    "1,1000000001,1000000000/s",
    "1,4294967295,1000000000/s",
    "2,4294967295,4294967295/min",
    "6,4294967295,4294967295/year"
  })
  void read_limitAboveTheFastest_isTheFastest(int unit, long perUnit, String limit) {
    RateLimitOverride.Builder override =
        RateLimitOverride.newBuilder().setRequestsPerUnit((int) perUnit).setUnitValue(unit);
    assertThat(first(request(user("1").setLimit(override))).given()).isEqualTo(Limit.parse(limit));
  }

  @Test
  void read_limitOfNothing_asksForMoreThanThereIs() {
    RateLimitOverride.Builder nothing = RateLimitOverride.newBuilder().setUnitValue(1);
    Asked asked = first(request(user("1").setLimit(nothing)));
    assertThat(asked.cost()).isGreaterThan(requireNonNull(asked.given()).capacity());
    Asked look = first(request(user("1").setLimit(nothing).setHitsAddend(UInt64Value.of(0))));
    assertThat(look.cost()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, -1})
  void read_limitOfUnknownUnit_namesIt(int unit) {
    RateLimitOverride.Builder override = RateLimitOverride.newBuilder().setUnitValue(unit);
    refused(request(user("1").setLimit(override)), "descriptors[0].limit.unit");
  }

  @Test
  void read_outOfBounds_namesTheField() {
    refused(request(user("1")).setDomain(""), "rate limit domain must not be empty");
    refused(request(), "rate limit descriptor list must not be empty");
    refused(request(user("1")).setDomain("é".repeat(5_000)), "domain: 10000 bytes");
    refused(request(RateLimitDescriptor.newBuilder()), "descriptors[0].entries: 0 elements");
    RateLimitDescriptor.Builder noKey = user("1");
    noKey.addEntriesBuilder().setValue("2");
    refused(request(noKey), "descriptors[0].entries[1].key");
    RateLimitDescriptor.Builder longKey = RateLimitDescriptor.newBuilder();
    longKey.addEntriesBuilder().setKey("k".repeat(BOUNDS.keyLength() + 1));
    refused(request(user("1"), longKey), "key: 1025 bytes");
    RateLimitDescriptor.Builder many = RateLimitDescriptor.newBuilder();
    many.addAllEntries(List.of()).addEntries(user("1").getEntries(0));
    for (int i = 0; i < BOUNDS.entries(); i++) {
      many.addEntries(user("1").getEntries(0));
    }
    refused(request(many), "descriptors[0].entries: 17 elements");
    RateLimitRequest.Builder tooMany = request();
    for (int i = 0; i <= BOUNDS.descriptors(); i++) {
      tooMany.addDescriptors(user("1"));
    }
    refused(tooMany, "descriptors: 33 elements");
  }

  @Test
  void read_atTheBounds_isRead() {
    assertThat(first(request(user("x".repeat(BOUNDS.valueLength())))).cost()).isEqualTo(1);
    assertThat(first(request(user(""))).descriptor()).isEqualTo(Descriptor.of("user", ""));
  }

  private static void refused(RateLimitRequest.Builder request, String words) {
    assertThatThrownBy(() -> QUESTION.read(request.build(), /* mayRefund= */ true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }
}
