package io.penstock.server.grpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.api.v1.CancelRequest;
import io.penstock.api.v1.CheckBatchRequest;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.server.node.LateNode;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers and errors that come after the call that asked has returned. */
class LateAnswersTest {
  private LiveFront live;
  private LateNode node;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    AtomicReference<@Nullable LateNode> made = new AtomicReference<>();
    live =
        LiveFront.behind(
            folder,
            local -> {
              LateNode late = new LateNode(local);
              made.set(late);
              return late;
            });
    node = requireNonNull(made.get());
  }

  @AfterEach
  void stop() throws Exception {
    live.close();
    node.close();
  }

  private static CheckRequest check(String domain) {
    CheckRequest.Builder check = CheckRequest.newBuilder().setDomain(domain);
    check.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("42");
    return check.build();
  }

  private static RateLimitRequest envoy() {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("api");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("42");
    return request.build();
  }

  @Test
  void check_late_isAnswered() {
    var stub = PenstockGrpc.newBlockingStub(live.channel());
    assertThat(stub.check(check("api")).getReason()).isEqualTo("no-policy");
    var both = CheckBatchRequest.newBuilder().addChecks(check("a")).addChecks(check("b")).build();
    assertThat(stub.checkBatch(both).getAnswersCount()).isEqualTo(2);
  }

  @Test
  void call_nobodyAnswers_isUnavailableAndSaysWhy() {
    node.goAway();
    var stub = PenstockGrpc.newBlockingStub(live.channel());
    var cancel = CancelRequest.newBuilder().setReservationId("x").build();
    var service = RateLimitServiceGrpc.newBlockingStub(live.channel());
    for (Runnable call :
        new Runnable[] {
          () -> stub.check(check("api")),
          () -> stub.cancel(cancel),
          () -> service.shouldRateLimit(envoy())
        }) {
      assertThatThrownBy(call::run)
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessage("UNAVAILABLE: " + LateNode.GONE);
    }
    var batch = CheckBatchRequest.newBuilder().addChecks(check("api")).build();
    assertThat(stub.checkBatch(batch).getAnswers(0).getError()).isEqualTo(LateNode.GONE);
  }
}
