package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.config.ServerConfig.Access;
import io.penstock.server.node.Asker;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Envoy may give back that has the role {@code check} and no other. */
class NegativeHitsTest {
  private static final String KEY = "gateway-0123456789abcdef";

  @TempDir Path folder;

  private LiveFront live;
  private RateLimitServiceBlockingStub envoy;

  @BeforeEach
  void start() throws Exception {
    Path keys =
        Files.writeString(
            folder.resolve("keys.yaml"),
            "- {name: envoy, key: " + KEY + ", roles: {api: [check]}}");
    Access access = new Access(keys, null, null, null, null);
    live = LiveFront.guarded(folder, Gatekeeper.of(access, Clock.systemUTC(), new FileWatch()));
    envoy = RateLimitServiceGrpc.newBlockingStub(live.channel("x-api-key", KEY));
    live.put("api/user", "{\"limits\":[\"10/day\"],\"refunds\":true}");
  }

  @AfterEach
  void stop() {
    live.close();
  }

  private static RateLimitDescriptor.Builder descriptor(String key) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey(key).setValue("1");
    return descriptor;
  }

  private static RateLimitDescriptor.Builder back(String key) {
    return descriptor(key).setIsNegativeHits(true);
  }

  private RateLimitResponse ask(int hits, RateLimitDescriptor.Builder... descriptors) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    for (RateLimitDescriptor.Builder descriptor : descriptors) {
      request.addDescriptors(descriptor);
    }
    return envoy.shouldRateLimit(request.setHitsAddend(hits).build());
  }

  @Test
  void shouldRateLimit_givesBackBesideADescriptorWithoutRule_isDone() {
    ask(6, descriptor("user"));
    RateLimitResponse reply = ask(2, back("user"), back("ip"));
    assertThat(reply.getOverallCode()).isEqualTo(Code.OK);
    assertThat(reply.getStatusesList())
        .extracting(DescriptorStatus::getLimitRemaining)
        .containsExactly(6, 0);
  }

  @Test
  void shouldRateLimit_takesByTheRuleAndGivesBackByALimit_hasTwoStatuses() {
    RateLimitDescriptor.Builder limited = back("user");
    limited.getLimitBuilder().setRequestsPerUnit(5).setUnitValue(RateLimit.Unit.HOUR_VALUE);
    RateLimitResponse reply = ask(1, descriptor("user"), limited);
    assertThat(reply.getOverallCode()).isEqualTo(Code.OK);
    assertThat(reply.getStatusesList())
        .extracting(DescriptorStatus::getLimitRemaining)
        .containsExactly(9, 5);
  }

  @Test
  void shouldRateLimit_takesAndGivesBackOfOneCounter_isAnErrorThatSaysSo() {
    assertThatThrownBy(() -> ask(1, descriptor("user"), back("user")))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(e.getStatus().getDescription()).contains("of the same descriptor");
            });
  }

  @Test
  void reset_keyUnderALimitOfAnyUnitThatEnvoyKnows_isFull() {
    for (RateLimit.Unit unit : RateLimit.Unit.values()) {
      if (unit == RateLimit.Unit.UNKNOWN || unit == RateLimit.Unit.UNRECOGNIZED) {
        continue;
      }
      RateLimitDescriptor.Builder limited = descriptor("ip");
      limited.getLimitBuilder().setRequestsPerUnit(5).setUnitValue(unit.getNumber());
      ask(4, limited);
      assertThat(ask(4, limited).getOverallCode()).as("%s", unit).isEqualTo(Code.OVER_LIMIT);
      live.node.reset(
          "api",
          List.of(Descriptor.of("ip", "1")),
          Asker.of(
              kept -> {},
              cause -> {
                throw cause;
              }));
      assertThat(ask(4, limited).getOverallCode()).as("%s", unit).isEqualTo(Code.OK);
    }
  }
}
