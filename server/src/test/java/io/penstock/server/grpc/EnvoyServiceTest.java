package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UInt64Value;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.penstock.api.envoy.config.core.v3.HeaderValue;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvoyServiceTest {
  private static final String FIXED = "{\"limits\":[\"%s\"],\"algorithm\":\"fixed-window\"}";

  @TempDir Path folder;

  private LiveFront live;
  private RateLimitServiceBlockingStub envoy;

  @BeforeEach
  void start() throws Exception {
    live = LiveFront.open(folder);
    envoy = RateLimitServiceGrpc.newBlockingStub(live.channel());
  }

  @AfterEach
  void stop() {
    live.close();
  }

  private static RateLimitDescriptor.Builder descriptor(String key, String value) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey(key).setValue(value);
    return descriptor;
  }

  private static RateLimitRequest.Builder request(RateLimitDescriptor.Builder... descriptors) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    for (RateLimitDescriptor.Builder descriptor : descriptors) {
      request.addDescriptors(descriptor);
    }
    return request;
  }

  private RateLimitResponse ask(RateLimitDescriptor.Builder... descriptors) {
    return envoy.shouldRateLimit(request(descriptors).build());
  }

  private static Map<String, String> headers(RateLimitResponse response) {
    return response.getResponseHeadersToAddList().stream()
        .collect(Collectors.toMap(HeaderValue::getKey, HeaderValue::getValue));
  }

  @Test
  void shouldRateLimit_blockedPolicy_isOverLimitForADay() {
    live.put("api/ip=6.6.6.6", "{\"blocked\":true}");
    RateLimitResponse reply = ask(descriptor("ip", "6.6.6.6"));
    assertThat(reply.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    DescriptorStatus status = reply.getStatuses(0);
    assertThat(status.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status.hasCurrentLimit()).isFalse();
    assertThat(status.getLimitRemaining()).isZero();
    assertThat(headers(reply)).containsOnly(Map.entry("retry-after", "86400"));
  }

  @Test
  void shouldRateLimit_fixedWindow_answersAsTheReferenceDoes() {
    live.put("api/user", FIXED.formatted("2/min"));
    live.clock.advance(Duration.ofSeconds(20));
    RateLimitResponse first = ask(descriptor("user", "1"));
    assertThat(first.getOverallCode()).isEqualTo(Code.OK);
    DescriptorStatus status = first.getStatuses(0);
    assertThat(status.getCode()).isEqualTo(Code.OK);
    assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(2);
    assertThat(status.getCurrentLimit().getUnit()).isEqualTo(RateLimit.Unit.MINUTE);
    assertThat(status.getLimitRemaining()).isEqualTo(1);
    assertThat(status.getDurationUntilReset().getSeconds()).isEqualTo(40);
    assertThat(ask(descriptor("user", "1")).getStatuses(0).getLimitRemaining()).isZero();
    RateLimitResponse third = ask(descriptor("user", "1"));
    assertThat(third.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(third.getStatuses(0).getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(third.getStatuses(0).getDurationUntilReset().getSeconds()).isEqualTo(40);
    assertThat(ask(descriptor("user", "2")).getOverallCode()).isEqualTo(Code.OK);
    live.clock.advance(Duration.ofSeconds(40));
    assertThat(ask(descriptor("user", "1")).getOverallCode()).isEqualTo(Code.OK);
  }

  /** Envoy lets a request pass whose check fails: nobody may escape by a long header. */
  @Test
  void shouldRateLimit_veryLongValue_isLimitedAsAnyOther() {
    live.put("api/user", FIXED.formatted("1/min"));
    String value = "x".repeat(20_000);
    assertThat(ask(descriptor("user", value)).getOverallCode()).isEqualTo(Code.OK);
    assertThat(ask(descriptor("user", value)).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(ask(descriptor("user", value + "y")).getOverallCode()).isEqualTo(Code.OK);
  }

  @Test
  void shouldRateLimit_severalDescriptors_deniedConsumesNothing() {
    live.put("api/user", FIXED.formatted("5/min"));
    live.put("api/path", FIXED.formatted("1/hour"));
    ask(descriptor("path", "/"));
    RateLimitResponse denied =
        ask(descriptor("user", "1"), descriptor("path", "/"), descriptor("none", "x"));
    assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(denied.getStatusesList())
        .extracting(DescriptorStatus::getCode)
        .containsExactly(Code.OK, Code.OVER_LIMIT, Code.OK);
    assertThat(denied.getStatuses(2).hasCurrentLimit()).isFalse();
    assertThat(ask(descriptor("user", "1")).getStatuses(0).getLimitRemaining()).isEqualTo(4);
  }

  @Test
  void shouldRateLimit_denialByBucket_tellsTheWait() {
    live.put("api/user", "{\"limits\":[\"10/s\"]}");
    RateLimitRequest ten = request(descriptor("user", "1")).setHitsAddend(10).build();
    assertThat(envoy.shouldRateLimit(ten).getOverallCode()).isEqualTo(Code.OK);
    DescriptorStatus denied = ask(descriptor("user", "1")).getStatuses(0);
    assertThat(denied.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(denied.getDurationUntilReset().getSeconds()).isZero();
    assertThat(denied.getDurationUntilReset().getNanos()).isEqualTo(100_000_000);
  }

  @Test
  void shouldRateLimit_hits_areTakenLookedAtAndGivenBack() {
    live.put("api/user", FIXED.formatted("10/hour"));
    RateLimitDescriptor.Builder user = descriptor("user", "1");
    RateLimitRequest four = request(user).setHitsAddend(4).build();
    assertThat(envoy.shouldRateLimit(four).getStatuses(0).getLimitRemaining()).isEqualTo(6);
    user.setHitsAddend(UInt64Value.of(0));
    assertThat(ask(user).getStatuses(0).getLimitRemaining()).isEqualTo(6);
    user.setHitsAddend(UInt64Value.of(3)).setIsNegativeHits(true);
    assertThat(ask(user).getStatuses(0).getLimitRemaining()).isEqualTo(9);
    user.setHitsAddend(UInt64Value.of(-1L));
    assertThat(ask(user).getStatuses(0).getLimitRemaining()).isEqualTo(10);
    user.setIsNegativeHits(false);
    assertThat(ask(user).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void shouldRateLimit_limitInDescriptor_overridesThePolicy() {
    live.put("api/user", FIXED.formatted("100/s"));
    RateLimitDescriptor.Builder user = descriptor("user", "1");
    user.getLimitBuilder().setRequestsPerUnit(1).setUnitValue(RateLimit.Unit.HOUR_VALUE);
    DescriptorStatus first = ask(user).getStatuses(0);
    assertThat(first.getCode()).isEqualTo(Code.OK);
    assertThat(first.getCurrentLimit().getUnit()).isEqualTo(RateLimit.Unit.HOUR);
    assertThat(first.getCurrentLimit().getRequestsPerUnit()).isEqualTo(1);
    assertThat(ask(user).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    RateLimitDescriptor.Builder nothing = descriptor("user", "2");
    nothing.getLimitBuilder().setUnitValue(RateLimit.Unit.HOUR_VALUE);
    DescriptorStatus none = ask(nothing).getStatuses(0);
    assertThat(none.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(none.getCurrentLimit().getRequestsPerUnit()).isZero();
  }

  @Test
  void shouldRateLimit_limitOfNothingInDescriptor_isSaidTheSameEverywhere() {
    live.clock.advance(Duration.ofSeconds(20));
    RateLimitDescriptor.Builder nothing = descriptor("user", "1");
    nothing.getLimitBuilder().setUnitValue(RateLimit.Unit.MINUTE_VALUE);
    for (int i = 0; i < 2; i++) {
      RateLimitResponse denied = ask(nothing);
      assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      DescriptorStatus status = denied.getStatuses(0);
      assertThat(status.getCurrentLimit().getRequestsPerUnit()).isZero();
      assertThat(status.getLimitRemaining()).isZero();
      assertThat(status.getDurationUntilReset().getSeconds()).isEqualTo(40);
      assertThat(headers(denied))
          .containsOnly(
              Map.entry("ratelimit-policy", "\"request\";q=0;w=60"),
              Map.entry("ratelimit", "\"request\";r=0;t=40"),
              Map.entry("retry-after", "86400"));
    }
    nothing.setHitsAddend(UInt64Value.of(0));
    assertThat(ask(nothing).getOverallCode()).isEqualTo(Code.OK);
    assertThat(headers(ask(nothing))).containsEntry("ratelimit", "\"request\";r=0;t=40");
  }

  @Test
  void shouldRateLimit_costThatNeverFits_isRetriedInADay() {
    live.put("api/user", FIXED.formatted("10/min"));
    live.clock.advance(Duration.ofSeconds(20));
    RateLimitRequest eleven = request(descriptor("user", "1")).setHitsAddend(11).build();
    RateLimitResponse denied = envoy.shouldRateLimit(eleven);
    assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(denied.getStatuses(0).getLimitRemaining()).isEqualTo(10);
    assertThat(denied.getStatuses(0).getDurationUntilReset().getSeconds()).isEqualTo(40);
    assertThat(headers(denied))
        .containsOnly(
            Map.entry("ratelimit-policy", "\"api/user\";q=10;w=60"),
            Map.entry("ratelimit", "\"api/user\";r=10;t=40"),
            Map.entry("retry-after", "86400"));
  }

  @Test
  void shouldRateLimit_lookAtAnUntouchedWindow_tellsTheRestOfIt() {
    live.put("api/user", FIXED.formatted("10/min"));
    live.put("api/day", "{\"limits\":[\"10/day Europe/Paris\"]}");
    live.put("api/bucket", "{\"limits\":[\"10/min\"]}");
    live.clock.advance(Duration.ofSeconds(20));
    UInt64Value none = UInt64Value.of(0);
    RateLimitResponse look =
        ask(
            descriptor("user", "1").setHitsAddend(none),
            descriptor("day", "1").setHitsAddend(none),
            descriptor("bucket", "1").setHitsAddend(none));
    assertThat(look.getStatusesList())
        .extracting(status -> status.getDurationUntilReset().getSeconds())
        .containsExactly(40L, 23 * 3_600L - 20, 0L);
    assertThat(headers(ask(descriptor("user", "1").setHitsAddend(none))))
        .containsEntry("ratelimit", "\"api/user\";r=10;t=40");
    assertThat(ask(descriptor("user", "1")).getStatuses(0).getDurationUntilReset().getSeconds())
        .isEqualTo(40);
  }

  @Test
  void shouldRateLimit_noRuleUnlimitedOrShadow_isNeverOverLimit() {
    live.put("api/free", "{\"unlimited\":true}");
    live.put("api/dark", "{\"limits\":[\"1/hour\"],\"shadow\":true}");
    RateLimitResponse none = ask(descriptor("user", "1"));
    assertThat(none.getOverallCode()).isEqualTo(Code.OK);
    assertThat(none.getStatuses(0).getLimitRemaining()).isZero();
    assertThat(none.getResponseHeadersToAddList()).isEmpty();
    RateLimitResponse free = ask(descriptor("free", "1"));
    assertThat(Integer.toUnsignedLong(free.getStatuses(0).getLimitRemaining()))
        .isEqualTo(4_294_967_295L);
    assertThat(free.getResponseHeadersToAddList()).isEmpty();
    ask(descriptor("dark", "1"));
    DescriptorStatus dark = ask(descriptor("dark", "1")).getStatuses(0);
    assertThat(dark.getCode()).isEqualTo(Code.OK);
    assertThat(dark.getLimitRemaining()).isZero();
  }

  @Test
  void shouldRateLimit_severalLimits_areOneStatusOfTheDecidingOne() {
    live.put("api/user", "{\"limits\":[\"100/s\",\"2/day\"]}");
    DescriptorStatus status = ask(descriptor("user", "1")).getStatuses(0);
    assertThat(status.getCurrentLimit().getUnit()).isEqualTo(RateLimit.Unit.DAY);
    assertThat(status.getLimitRemaining()).isEqualTo(1);
  }

  @Test
  void shouldRateLimit_headers_areOnBothAnswersAndRetryOnlyOnDenial() {
    live.put("api/user", FIXED.formatted("1/min"));
    live.clock.advance(Duration.ofMillis(20_500));
    Map<String, String> passed = headers(ask(descriptor("user", "1")));
    assertThat(passed)
        .containsOnly(
            Map.entry("ratelimit-policy", "\"api/user\";q=1;w=60"),
            Map.entry("ratelimit", "\"api/user\";r=0;t=40"));
    Map<String, String> denied = headers(ask(descriptor("user", "1")));
    assertThat(denied)
        .containsOnlyKeys("ratelimit-policy", "ratelimit", "retry-after")
        .containsEntry("retry-after", "40");
  }

  @Test
  void shouldRateLimit_emptyOrTooLarge_isAnErrorThatNamesIt() {
    refused(RateLimitRequest.newBuilder(), "rate limit domain must not be empty");
    refused(request(), "rate limit descriptor list must not be empty");
    refused(request(descriptor("", "1")), "key");
  }

  private void refused(RateLimitRequest.Builder request, String words) {
    assertThatThrownBy(() -> envoy.shouldRateLimit(request.build()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(e.getStatus().getDescription()).contains(words);
            });
  }
}
