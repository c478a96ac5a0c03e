package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthServiceTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ratelimit",
        "envoy.service.ratelimit.v3.RateLimitService",
        "penstock.v1.Penstock"
      })
  void health_whileServing_saysSo(String service) throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      HealthCheckRequest ask = HealthCheckRequest.newBuilder().setService(service).build();
      var health = HealthGrpc.newBlockingStub(live.channel());
      assertThat(health.check(ask).getStatus()).isEqualTo(ServingStatus.SERVING);
      assertThat(health.watch(ask).next().getStatus()).isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void health_ofUnknownService_isToldAndWatched() throws Exception {
    try (LiveFront live = LiveFront.open(folder)) {
      var health = HealthGrpc.newBlockingStub(live.channel());
      HealthCheckRequest ask = HealthCheckRequest.newBuilder().setService("x").build();
      assertThatThrownBy(() -> health.check(ask))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageStartingWith("NOT_FOUND: service: x (expected: one of ");
      assertThat(health.watch(ask).next().getStatus()).isEqualTo(ServingStatus.SERVICE_UNKNOWN);
    }
  }
}
