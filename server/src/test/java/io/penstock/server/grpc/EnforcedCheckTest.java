package io.penstock.server.grpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.util.Durations;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.penstock.api.v1.AcquireRequest;
import io.penstock.api.v1.CheckBatchRequest;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.CheckResponse;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.api.v1.PenstockGrpc.PenstockBlockingStub;
import io.penstock.api.v1.ReserveRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A denied check is an error for those who ask for one. */
class EnforcedCheckTest {
  @TempDir Path folder;

  private LiveFront live;
  private PenstockBlockingStub penstock;

  @BeforeEach
  void start() throws Exception {
    live = LiveFront.open(folder);
    penstock = PenstockGrpc.newBlockingStub(live.channel());
  }

  @AfterEach
  void stop() {
    live.close();
  }

  private static CheckRequest enforced(String key, long cost) {
    CheckRequest.Builder check = CheckRequest.newBuilder().setDomain("api").setEnforce(true);
    check.addDescriptorsBuilder().addEntriesBuilder().setKey(key).setValue("42");
    return check.setCost(cost).build();
  }

  private com.google.rpc.Status denied(String key, long cost) {
    StatusRuntimeException thrown =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> penstock.check(enforced(key, cost)));
    assertThat(thrown.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    com.google.rpc.Status status = requireNonNull(StatusProto.fromThrowable(thrown));
    assertThat(status.getMessage()).isEqualTo(thrown.getStatus().getDescription());
    return status;
  }

  @Test
  void check_denied_isExhaustedUntilItsWaitIsOver() throws Exception {
    live.put("api/user", "{\"limits\":[\"2/s burst 4\"]}");
    CheckResponse first = penstock.check(enforced("user", 4));
    assertThat(first.getAllowed()).isTrue();
    assertThat(first.getLimit()).isEqualTo(4);
    com.google.rpc.Status status = denied("user", 1);
    assertThat(status.getMessage()).isEqualTo("policy: api/user (limited; retry after 500 ms)");
    List<Any> details = status.getDetailsList();
    assertThat(details).hasSize(1);
    RetryInfo retry = details.get(0).unpack(RetryInfo.class);
    assertThat(retry.getRetryDelay()).isEqualTo(Durations.fromMillis(500));
    assertThat(penstock.check(enforced("user", 0)).getAllowed()).isTrue();
    live.clock.advance(Duration.ofMillis(500));
    assertThat(penstock.check(enforced("user", 1)).getAllowed()).isTrue();
  }

  @Test
  void check_deniedForEver_tellsNoWait() {
    live.put("api/user", "{\"limits\":[\"2/s burst 4\"]}");
    live.put("api/ip", "{\"blocked\":true}");
    com.google.rpc.Status never = denied("user", 5);
    assertThat(never.getMessage()).isEqualTo("policy: api/user (never; no wait is enough)");
    assertThat(never.getDetailsList()).isEmpty();
    com.google.rpc.Status blocked = denied("ip", 1);
    assertThat(blocked.getMessage()).isEqualTo("policy: api/ip (blocked; no wait is enough)");
    assertThat(blocked.getDetailsList()).isEmpty();
  }

  /** More than 8 kB of trailers and a client sees nothing of them. */
  @Test
  void check_deniedByAVeryLongScope_isToldAll() {
    String name = "\u4e16".repeat(250);
    live.put("api/" + name + "=" + name + "/" + name, "{\"blocked\":true}");
    CheckRequest.Builder check = CheckRequest.newBuilder().setDomain("api").setEnforce(true);
    check
        .addDescriptorsBuilder()
        .addEntries(io.penstock.api.v1.Entry.newBuilder().setKey(name).setValue(name))
        .addEntries(io.penstock.api.v1.Entry.newBuilder().setKey(name).setValue("42"));
    StatusRuntimeException thrown =
        catchThrowableOfType(StatusRuntimeException.class, () -> penstock.check(check.build()));
    assertThat(thrown.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(thrown.getStatus().getDescription())
        .startsWith("policy: api/\u4e16")
        .endsWith("\u2026 (blocked; no wait is enough)");
  }

  @Test
  void otherCalls_denied_areAnswers() {
    live.put("api/user", "{\"blocked\":true}");
    CheckRequest check = enforced("user", 1);
    CheckBatchRequest batch = CheckBatchRequest.newBuilder().addChecks(check).build();
    assertThat(penstock.checkBatch(batch).getAnswers(0).getReason()).isEqualTo("blocked");
    ReserveRequest reserve = ReserveRequest.newBuilder().setCheck(check).build();
    assertThat(penstock.reserve(reserve).getAnswer().getReason()).isEqualTo("blocked");
    AcquireRequest acquire = AcquireRequest.newBuilder().setCheck(check).build();
    assertThat(penstock.acquire(acquire).getAnswer().getReason()).isEqualTo("blocked");
  }
}
