package io.penstock.server.grpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.Timestamp;
import com.google.rpc.BadRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.penstock.api.v1.AcquireRequest;
import io.penstock.api.v1.AcquireResponse;
import io.penstock.api.v1.BlockRequest;
import io.penstock.api.v1.CancelRequest;
import io.penstock.api.v1.CheckBatchRequest;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.CheckResponse;
import io.penstock.api.v1.CommitRequest;
import io.penstock.api.v1.Descriptor;
import io.penstock.api.v1.Entry;
import io.penstock.api.v1.OverrideRequest;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.api.v1.PenstockGrpc.PenstockBlockingStub;
import io.penstock.api.v1.ReleaseRequest;
import io.penstock.api.v1.RenewRequest;
import io.penstock.api.v1.ReserveRequest;
import io.penstock.api.v1.ReserveResponse;
import io.penstock.api.v1.ResetRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PenstockServiceTest {
  private static final Descriptor USER =
      Descriptor.newBuilder().addEntries(Entry.newBuilder().setKey("user").setValue("1")).build();

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

  private static CheckRequest.Builder check(long cost) {
    return CheckRequest.newBuilder().setDomain("api").addDescriptors(USER).setCost(cost);
  }

  private CheckResponse ask(long cost) {
    return penstock.check(check(cost).build());
  }

  static StatusRuntimeException refused(Status.Code code, ThrowingCallable call) {
    StatusRuntimeException[] thrown = new StatusRuntimeException[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(code);
              thrown[0] = e;
            });
    return thrown[0];
  }

  @Test
  void check_allowedThenDenied_bothAreAnswers() {
    live.put("api/user", "{\"limits\":[\"2/s burst 4\"]}");
    CheckResponse first = penstock.check(check(1).clearCost().build());
    assertThat(first.getAllowed()).isTrue();
    assertThat(first.getRemaining()).isEqualTo(3);
    assertThat(first.getLimit()).isEqualTo(4);
    assertThat(first.getResetAfterMs()).isEqualTo(500);
    assertThat(first.getPolicy()).isEqualTo("api/user");
    assertThat(first.getPolicyVersion()).isEqualTo(1);
    assertThat(first.getReason()).isEqualTo("ok");
    assertThat(first.getDurability()).isEqualTo("fast");
    assertThat(first.getDecidedBy()).isEqualTo("n1");
    CheckResponse denied = ask(4);
    assertThat(denied.getAllowed()).isFalse();
    assertThat(denied.getReason()).isEqualTo("limited");
    assertThat(denied.getRetryAfterMs()).isEqualTo(500);
    assertThat(denied.getRemaining()).isEqualTo(3);
    assertThat(denied.getResultsList()).hasSize(1);
    assertThat(denied.getResults(0).getRetryAfterMs()).isEqualTo(500);
    assertThat(ask(5).getRetryAfterMs()).isEqualTo(-1);
    assertThat(ask(0).getRemaining()).isEqualTo(3);
    assertThat(ask(-1).getRemaining()).isEqualTo(4);
  }

  @Test
  void check_noPolicyOrUnlimited_tellsNoNumbers() {
    CheckResponse none = ask(1);
    assertThat(none.getAllowed()).isTrue();
    assertThat(none.getReason()).isEqualTo("no-policy");
    assertThat(none.hasPolicy()).isFalse();
    assertThat(none.hasRemaining()).isFalse();
    assertThat(none.hasLimit()).isFalse();
    live.put("api/user", "{\"unlimited\":true}");
    CheckResponse unlimited = ask(1);
    assertThat(unlimited.getReason()).isEqualTo("unlimited");
    assertThat(unlimited.hasRemaining()).isFalse();
  }

  @Test
  void check_sameRequestId_consumesOnce() {
    live.put("api/user", "{\"limits\":[\"5/day\"]}");
    CheckRequest named = check(1).setRequestId("a").build();
    assertThat(penstock.check(named).getDuplicate()).isFalse();
    CheckResponse again = penstock.check(named);
    assertThat(again.getDuplicate()).isTrue();
    assertThat(again.getRemaining()).isEqualTo(4);
    assertThat(ask(0).getRemaining()).isEqualTo(4);
  }

  @Test
  void check_strictPolicy_isAnsweredWhenItIsOnDisk() {
    live.put("api/user", "{\"limits\":[\"5/day\"],\"consistency\":\"strict\"}");
    assertThat(ask(1).getDurability()).isEqualTo("strict");
    CheckBatchRequest.Builder batch = CheckBatchRequest.newBuilder();
    for (int i = 0; i < 10; i++) {
      batch.addChecks(check(1));
    }
    assertThat(penstock.checkBatch(batch.build()).getAnswersList())
        .extracting(CheckResponse::getAllowed)
        .containsExactly(true, true, true, true, false, false, false, false, false, false);
  }

  @Test
  void checkBatch_several_areAnsweredInOrder() {
    live.put("api/user", "{\"limits\":[\"2/day\"]}");
    CheckBatchRequest batch =
        CheckBatchRequest.newBuilder()
            .addChecks(check(1))
            .addChecks(check(2))
            .addChecks(check(1))
            .build();
    assertThat(penstock.checkBatch(batch).getAnswersList())
        .extracting(CheckResponse::getAllowed)
        .containsExactly(true, false, true);
    refused(
        Status.Code.INVALID_ARGUMENT,
        () -> penstock.checkBatch(CheckBatchRequest.getDefaultInstance()));
  }

  @Test
  void reserve_committedOrCancelled_settlesTheDifference() {
    live.put("api/user", "{\"limits\":[\"10/day\"]}");
    ReserveRequest five = ReserveRequest.newBuilder().setCheck(check(5)).setTtlMs(1_000).build();
    ReserveResponse held = penstock.reserve(five);
    assertThat(held.getAnswer().getRemaining()).isEqualTo(5);
    CommitRequest two =
        CommitRequest.newBuilder().setReservationId(held.getReservationId()).setCost(2).build();
    penstock.commit(two);
    penstock.commit(two);
    assertThat(ask(0).getRemaining()).isEqualTo(8);
    String second = penstock.reserve(five).getReservationId();
    penstock.cancel(CancelRequest.newBuilder().setReservationId(second).build());
    assertThat(ask(0).getRemaining()).isEqualTo(8);
    String late = penstock.reserve(five).getReservationId();
    live.clock.advance(Duration.ofSeconds(2));
    refused(
        Status.Code.FAILED_PRECONDITION,
        () -> penstock.cancel(CancelRequest.newBuilder().setReservationId(late).build()));
    refused(
        Status.Code.NOT_FOUND,
        () -> penstock.cancel(CancelRequest.newBuilder().setReservationId("?").build()));
  }

  @Test
  void acquire_slots_areFreedByReleaseOrTime() {
    live.put("api/user", "{\"limits\":[\"1 concurrent lease 30s\"],\"algorithm\":\"concurrency\"}");
    AcquireRequest one = AcquireRequest.newBuilder().setCheck(check(1)).setLeaseMs(1_000).build();
    AcquireResponse held = penstock.acquire(one);
    assertThat(held.getAnswer().getAllowed()).isTrue();
    refused(
        Status.Code.NOT_FOUND,
        () ->
            penstock.cancel(
                CancelRequest.newBuilder().setReservationId(held.getLeaseId()).build()));
    AcquireResponse denied = penstock.acquire(one);
    assertThat(denied.getAnswer().getAllowed()).isFalse();
    assertThat(denied.getLeaseId()).isEmpty();
    penstock.renew(RenewRequest.newBuilder().setLeaseId(held.getLeaseId()).build());
    penstock.release(ReleaseRequest.newBuilder().setLeaseId(held.getLeaseId()).build());
    assertThat(penstock.acquire(one).getAnswer().getAllowed()).isTrue();
    AcquireRequest none = AcquireRequest.newBuilder().setCheck(check(0)).build();
    refused(Status.Code.INVALID_ARGUMENT, () -> penstock.acquire(none));
  }

  @Test
  void keys_resetBlockedOrOverridden_areDecidedThatWay() {
    live.put("api/user", "{\"limits\":[\"3/day\"]}");
    ask(3);
    ResetRequest reset = ResetRequest.newBuilder().setDomain("api").addDescriptors(USER).build();
    penstock.reset(reset);
    assertThat(ask(0).getRemaining()).isEqualTo(3);
    BlockRequest.Builder block = BlockRequest.newBuilder().setDomain("api").addDescriptors(USER);
    refused(Status.Code.INVALID_ARGUMENT, () -> penstock.block(block.build()));
    penstock.block(block.setUntil(Timestamp.newBuilder().setSeconds(4_000_000_000L)).build());
    assertThat(ask(1).getReason()).isEqualTo("blocked");
    penstock.block(block.setUntil(Timestamp.newBuilder().setSeconds(1)).build());
    assertThat(ask(1).getAllowed()).isTrue();
    OverrideRequest.Builder override =
        OverrideRequest.newBuilder()
            .setDomain("api")
            .addDescriptors(USER)
            .setUntil(Timestamp.newBuilder().setSeconds(4_000_000_000L));
    refused(Status.Code.INVALID_ARGUMENT, () -> penstock.override(override.build()));
    penstock.override(override.addLimits("50/day").build());
    assertThat(ask(0).getLimit()).isEqualTo(50);
    override.addLimits("x");
    refused(Status.Code.INVALID_ARGUMENT, () -> penstock.override(override.build()));
  }

  @Test
  void keys_ordersWithSeveralProblems_areToldAllOfThem() throws Exception {
    Descriptor entries =
        Descriptor.newBuilder()
            .addEntries(Entry.newBuilder().setValue("1"))
            .addEntries(Entry.newBuilder().setKey("user").setValue("x".repeat(9_000)))
            .build();
    OverrideRequest override =
        OverrideRequest.newBuilder()
            .addDescriptors(Descriptor.getDefaultInstance())
            .addDescriptors(entries)
            .addAllLimits(List.of("5/x", "5/day", "6/day"))
            .build();
    assertThat(problems(() -> penstock.override(override)))
        .containsExactly(
            "domain",
            "descriptors[0].entries",
            "descriptors[1].entries[0].key",
            "descriptors[1].entries[1].value",
            "limits[0]",
            "limits[2]",
            "until");
    assertThat(problems(() -> penstock.block(BlockRequest.getDefaultInstance())))
        .containsExactly("domain", "descriptors", "until");
    assertThat(problems(() -> penstock.reset(ResetRequest.getDefaultInstance())))
        .containsExactly("domain", "descriptors");
  }

  @Test
  void problems_moreThanAClientTakes_areToldInPart() throws Exception {
    OverrideRequest.Builder override = OverrideRequest.newBuilder().setDomain("api");
    for (int i = 0; i < 16; i++) {
      override.addLimits("ü".repeat(200));
      override.addDescriptorsBuilder().addEntriesBuilder().setValue("1");
    }
    assertThat(problems(() -> penstock.override(override.build()))).hasSizeBetween(10, 32);
    assertThat(refused(Status.Code.INVALID_ARGUMENT, () -> penstock.override(override.build())))
        .hasMessageMatching(".*; and \\d+ more");
  }

  /** The fields of which a refusal tells in its details. */
  private static List<String> problems(ThrowingCallable call) throws Exception {
    Throwable refusal = catchThrowable(call);
    com.google.rpc.Status status = requireNonNull(StatusProto.fromThrowable(refusal));
    assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT.value());
    return status.getDetails(0).unpack(BadRequest.class).getFieldViolationsList().stream()
        .map(BadRequest.FieldViolation::getField)
        .toList();
  }
}
