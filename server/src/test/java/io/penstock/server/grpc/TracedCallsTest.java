package io.penstock.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.api.v1.AcquireRequest;
import io.penstock.api.v1.CheckBatchRequest;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.Descriptor;
import io.penstock.api.v1.Entry;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.api.v1.PenstockGrpc.PenstockBlockingStub;
import io.penstock.api.v1.ReserveRequest;
import io.penstock.server.ops.SpanRecorder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The span of whatever is asked over gRPC is below that of whoever asks. */
class TracedCallsTest {
  private static final CheckRequest CHECK =
      CheckRequest.newBuilder()
          .setDomain("api")
          .addDescriptors(
              Descriptor.newBuilder().addEntries(Entry.newBuilder().setKey("user").setValue("1")))
          .build();
  private static final RateLimitRequest RATE =
      RateLimitRequest.newBuilder()
          .setDomain("api")
          .addDescriptors(
              RateLimitDescriptor.newBuilder()
                  .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue("1")))
          .build();

  private SpanRecorder spans;
  private LiveFront live;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    spans = new SpanRecorder();
    live = LiveFront.traced(folder);
    live.put("api/user", "{\"limits\":[\"10/hour\",\"5 concurrent lease 30s\"]}");
  }

  @AfterEach
  void stop() {
    live.close();
    spans.close();
  }

  @Test
  void envoy_withATraceparent_isBelowIt() {
    RateLimitServiceGrpc.newBlockingStub(live.channel("traceparent", SpanRecorder.PARENT))
        .shouldRateLimit(RATE);
    RateLimitServiceGrpc.newBlockingStub(live.channel()).shouldRateLimit(RATE);
    assertThat(spans.ended())
        .containsExactly("penstock.check" + SpanRecorder.BELOW, "penstock.check");
  }

  @Test
  void own_withATraceparent_isBelowIt() {
    PenstockBlockingStub own =
        PenstockGrpc.newBlockingStub(live.channel("traceparent", SpanRecorder.PARENT));
    own.check(CHECK);
    own.checkBatch(CheckBatchRequest.newBuilder().addChecks(CHECK).build());
    own.reserve(ReserveRequest.newBuilder().setCheck(CHECK).build());
    own.acquire(AcquireRequest.newBuilder().setCheck(CHECK).build());
    PenstockGrpc.newBlockingStub(live.channel()).check(CHECK);
    assertThat(spans.ended())
        .containsExactly(
            "penstock.check" + SpanRecorder.BELOW,
            "penstock.check" + SpanRecorder.BELOW,
            "penstock.reserve" + SpanRecorder.BELOW,
            "penstock.acquire" + SpanRecorder.BELOW,
            "penstock.check");
  }
}
