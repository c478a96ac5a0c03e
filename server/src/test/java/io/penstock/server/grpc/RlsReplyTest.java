package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.penstock.core.Limit;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import io.penstock.server.node.Why;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RlsReplyTest {
  private static final long SECOND = 1_000_000_000L;

  private static Part ok(String limit, long remaining, long resetNanos) {
    Meter meter =
        new Meter(Limit.parse(limit), /* denied= */ false, remaining, 0, resetNanos, resetNanos);
    return new Part(/* allowed= */ true, "api/user", 1, Why.OK, 0, List.of(meter), Part.AS_METER);
  }

  private static Part limited(String limit, long remaining, long retryNanos, long resetNanos) {
    long moreNanos = retryNanos == Long.MAX_VALUE ? resetNanos : retryNanos;
    Meter meter =
        new Meter(
            Limit.parse(limit), /* denied= */ true, remaining, retryNanos, resetNanos, moreNanos);
    return new Part(
        /* allowed= */ false, "api/user", 1, Why.LIMITED, 0, List.of(meter), Part.AS_METER);
  }

  private static Part uncounted(boolean allowed, Why why) {
    return new Part(allowed, "api/user", 1, why, -1, List.of(), Part.AS_METER);
  }

  private static RateLimitResponse reply(Part... parts) {
    return RlsReply.of(request(parts.length).build(), answer(parts));
  }

  private static RateLimitRequest.Builder request(int descriptors) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    for (int i = 0; i < descriptors; i++) {
      request.addDescriptors(RateLimitDescriptor.getDefaultInstance());
    }
    return request;
  }

  private static Answer answer(Part... parts) {
    int deciding = 0;
    for (int i = 0; i < parts.length; i++) {
      deciding = parts[i].allowed() ? deciding : i;
    }
    return new Answer(
        parts[deciding].allowed(),
        deciding,
        List.of(parts),
        /* waitNanos= */ 0,
        Durability.FAST,
        "n1",
        /* duplicate= */ false);
  }

  private static DescriptorStatus status(Part part) {
    return reply(part).getStatuses(0);
  }

  @Test
  void of_severalParts_tellsThemInOrder() {
    RateLimitResponse reply =
        reply(ok("5/min", 3, SECOND), limited("1/s", 0, SECOND, SECOND), ok("9/hour", 8, SECOND));
    assertThat(reply.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(reply.getStatusesList())
        .extracting(DescriptorStatus::getCode)
        .containsExactly(Code.OK, Code.OVER_LIMIT, Code.OK);
    assertThat(reply.getStatusesList())
        .extracting(DescriptorStatus::getLimitRemaining)
        .containsExactly(3, 0, 8);
  }

  @ParameterizedTest
  @CsvSource({
    "7/s,SECOND",
    "7/60s,MINUTE",
    "7/min,MINUTE",
    "7/hour,HOUR",
    "7/day,DAY",
    "7/week,WEEK",
    "7/month Europe/Paris,MONTH",
    "7/year,YEAR",
    "7/15min,UNKNOWN",
    "7/250ms,UNKNOWN",
    "7/s burst 70,SECOND",
    "7 concurrent lease 1s,UNKNOWN"
  })
  void of_limit_hasTheUnitOfItsPeriod(String limit, RateLimitResponse.RateLimit.Unit unit) {
    RateLimitResponse.RateLimit told = status(ok(limit, 1, SECOND)).getCurrentLimit();
    assertThat(told.getUnit()).isEqualTo(unit);
    assertThat(told.getRequestsPerUnit()).isEqualTo(7);
    assertThat(told.getName()).isEmpty();
  }

  @Test
  void of_numbersBeyondTheProtocol_areItsGreatest() {
    DescriptorStatus status = status(ok("5000000000/min", 4_999_999_999L, SECOND));
    assertThat(Integer.toUnsignedLong(status.getCurrentLimit().getRequestsPerUnit()))
        .isEqualTo(0xFFFF_FFFFL);
    assertThat(Integer.toUnsignedLong(status.getLimitRemaining())).isEqualTo(0xFFFF_FFFFL);
  }

  @Test
  void of_nothingCounted_tellsNoLimit() {
    for (Why why : List.of(Why.NO_POLICY, Why.DISABLED, Why.FAIL_OPEN)) {
      DescriptorStatus status = status(uncounted(/* allowed= */ true, why));
      assertThat(status.getCode()).isEqualTo(Code.OK);
      assertThat(status.hasCurrentLimit()).isFalse();
      assertThat(status.hasDurationUntilReset()).isFalse();
      assertThat(status.getLimitRemaining()).isZero();
    }
    DescriptorStatus unlimited = status(uncounted(/* allowed= */ true, Why.UNLIMITED));
    assertThat(unlimited.hasCurrentLimit()).isFalse();
    assertThat(Integer.toUnsignedLong(unlimited.getLimitRemaining())).isEqualTo(0xFFFF_FFFFL);
    assertThat(reply(uncounted(/* allowed= */ false, Why.FAIL_CLOSED)).getOverallCode())
        .isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void of_resetOfAllowed_isWholeSecondsRoundedUp() {
    assertThat(status(ok("5/min", 1, 10 * SECOND + 1)).getDurationUntilReset())
        .isEqualTo(Durations.fromSeconds(11));
    assertThat(status(ok("5/min", 1, 10 * SECOND)).getDurationUntilReset())
        .isEqualTo(Durations.fromSeconds(10));
  }

  @Test
  void of_denialThatEndsBeforeTheReset_tellsTheWait() {
    var duration = status(limited("10/s", 0, SECOND / 10, SECOND)).getDurationUntilReset();
    assertThat(duration.getSeconds()).isZero();
    assertThat(duration.getNanos()).isEqualTo(100_000_000);
  }

  @Test
  void of_denialByWindowOrForEver_tellsTheReset() {
    assertThat(status(limited("5/min", 0, 9, 9)).getDurationUntilReset().getSeconds()).isEqualTo(1);
    assertThat(
            status(limited("5/min", 5, Long.MAX_VALUE, 30 * SECOND))
                .getDurationUntilReset()
                .getSeconds())
        .isEqualTo(30);
  }

  @Test
  void of_limitOfNothingInRequest_tellsZero() {
    RateLimitRequest.Builder request = request(1);
    request.getDescriptorsBuilder(0).getLimitBuilder().setUnitValue(1);
    Part denied = limited("1/s", 1, Long.MAX_VALUE, 0);
    DescriptorStatus status = RlsReply.of(request.build(), answer(denied)).getStatuses(0);
    assertThat(status.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(status.getCurrentLimit().getRequestsPerUnit()).isZero();
    assertThat(status.getLimitRemaining()).isZero();
  }
}
