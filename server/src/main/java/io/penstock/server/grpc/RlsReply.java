package io.penstock.server.grpc;

import com.google.protobuf.Duration;
import io.penstock.api.envoy.config.core.v3.HeaderValue;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.penstock.core.Limit;
import io.penstock.server.fields.RateLimitFields;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import io.penstock.server.node.Why;
import java.util.List;
import java.util.Map;

/** What Envoy is told about an answer. Pure functions. */
final class RlsReply {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long SECONDS_PER_DAY = 86_400;

  /** The most that the protocol's unsigned numbers can say; stands for unlimited. */
  private static final long MOST = 0xFFFF_FFFFL;

  /** Names of HTTP/2, which are in small letters. */
  private static final String POLICY = "ratelimit-policy";

  private static final String STATE = "ratelimit";
  private static final String RETRY_AFTER = "retry-after";

  private static final Map<Long, RateLimit.Unit> UNITS =
      Map.of(
          NANOS_PER_SECOND,
          RateLimit.Unit.SECOND,
          60 * NANOS_PER_SECOND,
          RateLimit.Unit.MINUTE,
          3_600 * NANOS_PER_SECOND,
          RateLimit.Unit.HOUR,
          SECONDS_PER_DAY * NANOS_PER_SECOND,
          RateLimit.Unit.DAY,
          7 * SECONDS_PER_DAY * NANOS_PER_SECOND,
          RateLimit.Unit.WEEK,
          30 * SECONDS_PER_DAY * NANOS_PER_SECOND,
          RateLimit.Unit.MONTH,
          365 * SECONDS_PER_DAY * NANOS_PER_SECOND,
          RateLimit.Unit.YEAR);

  private RlsReply() {}

  /** One status per descriptor in order: Envoy finds them by their place. */
  static RateLimitResponse of(RateLimitRequest request, Answer answer) {
    RateLimitResponse.Builder reply =
        RateLimitResponse.newBuilder().setOverallCode(code(answer.allowed()));
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); i++) {
      DescriptorStatus.Builder status = status(parts.get(i));
      if (givesNothing(request, i) && status.hasCurrentLimit()) {
        status.getCurrentLimitBuilder().setRequestsPerUnit(0);
        status.setLimitRemaining(0);
      }
      reply.addStatuses(status);
    }
    addHeaders(reply, answer, givesNothing(request, answer.deciding()));
    return reply.build();
  }

  /** What Envoy cannot make itself; {@code x-ratelimit-*} it can, and would send twice. */
  private static void addHeaders(
      RateLimitResponse.Builder reply, Answer answer, boolean isOfNothing) {
    if (RateLimitFields.areDue(answer)) {
      String policy =
          isOfNothing ? RateLimitFields.policyOfNothing(answer) : RateLimitFields.policy(answer);
      String state =
          isOfNothing ? RateLimitFields.stateOfNothing(answer) : RateLimitFields.state(answer);
      reply.addResponseHeadersToAdd(header(POLICY, policy));
      reply.addResponseHeadersToAdd(header(STATE, state));
    }
    if (!answer.allowed()) {
      String seconds = Long.toString(RateLimitFields.retryAfterSeconds(answer));
      reply.addResponseHeadersToAdd(header(RETRY_AFTER, seconds));
    }
  }

  private static HeaderValue header(String name, String value) {
    return HeaderValue.newBuilder().setKey(name).setValue(value).build();
  }

  /** Whether the request itself limits a descriptor to 0: see {@link RlsQuestion}. */
  private static boolean givesNothing(RateLimitRequest request, int index) {
    return request.getDescriptors(index).hasLimit()
        && request.getDescriptors(index).getLimit().getRequestsPerUnit() == 0;
  }

  private static Code code(boolean allowed) {
    return allowed ? Code.OK : Code.OVER_LIMIT;
  }

  private static DescriptorStatus.Builder status(Part part) {
    DescriptorStatus.Builder status = DescriptorStatus.newBuilder().setCode(code(part.allowed()));
    Meter meter = part.meter();
    if (meter == null) {
      return part.why() == Why.UNLIMITED ? status.setLimitRemaining((int) MOST) : status;
    }
    return status
        .setCurrentLimit(limit(meter.limit()))
        .setLimitRemaining(unsigned(meter.remaining()))
        .setDurationUntilReset(untilReset(part.allowed(), meter));
  }

  /** A period that is not one unit has none; {@code ratelimit-policy} tells what it is. */
  private static RateLimit limit(Limit limit) {
    RateLimit.Unit unit =
        limit.isConcurrent()
            ? RateLimit.Unit.UNKNOWN
            : UNITS.getOrDefault(limit.periodNanos(), RateLimit.Unit.UNKNOWN);
    return RateLimit.newBuilder().setRequestsPerUnit(unsigned(limit.count())).setUnit(unit).build();
  }

  private static int unsigned(long value) {
    return (int) Math.max(0, Math.min(MOST, value));
  }

  /**
   * When there is everything again, or a window ends that is still full, in whole seconds rounded
   * up because Envoy drops the rest; a denied caller who need not wait so long is told the wait,
   * exactly.
   */
  private static Duration untilReset(boolean allowed, Meter meter) {
    long reset = Math.max(meter.resetAfterNanos(), meter.moreAfterNanos());
    if (!allowed && meter.retryAfterNanos() < reset) {
      long wait = meter.retryAfterNanos();
      return Duration.newBuilder()
          .setSeconds(wait / NANOS_PER_SECOND)
          .setNanos((int) (wait % NANOS_PER_SECOND))
          .build();
    }
    return Duration.newBuilder().setSeconds(-Math.floorDiv(-reset, NANOS_PER_SECOND)).build();
  }
}
