package io.penstock.server.grpc;

import static io.penstock.server.grpc.PenstockServiceTest.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.penstock.api.v1.CancelRequest;
import io.penstock.api.v1.CheckBatchRequest;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.Descriptor;
import io.penstock.api.v1.Entry;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.api.v1.PenstockGrpc.PenstockBlockingStub;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields of checks that are out of bounds are named, in the words of HTTP. */
class CheckBoundsTest {
  private LiveFront live;
  private PenstockBlockingStub penstock;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    live = LiveFront.open(folder);
    penstock = PenstockGrpc.newBlockingStub(live.channel());
  }

  @AfterEach
  void stop() {
    live.close();
  }

  private static Descriptor user(String value) {
    Entry entry = Entry.newBuilder().setKey("user").setValue(value).build();
    return Descriptor.newBuilder().addEntries(entry).build();
  }

  private static CheckRequest.Builder check(String value) {
    return CheckRequest.newBuilder().setDomain("api").addDescriptors(user(value));
  }

  @Test
  void check_outOfBounds_namesTheField() {
    CheckRequest noDomain = CheckRequest.newBuilder().addDescriptors(user("1")).build();
    assertThat(refused(Status.Code.INVALID_ARGUMENT, () -> penstock.check(noDomain)))
        .hasMessageEndingWith(": domain: 0 bytes (expected: 1..1024 bytes)");
    CheckRequest none = CheckRequest.newBuilder().setDomain("api").build();
    assertThat(refused(Status.Code.INVALID_ARGUMENT, () -> penstock.check(none)))
        .hasMessageContaining("descriptors");
    CheckRequest longId = check("1").setRequestId("x".repeat(257)).build();
    assertThat(refused(Status.Code.INVALID_ARGUMENT, () -> penstock.check(longId)))
        .hasMessageEndingWith(": request_id: 257 bytes (expected: 0..256 bytes)");
    CheckRequest longValue = check("v".repeat(8193)).build();
    assertThat(refused(Status.Code.INVALID_ARGUMENT, () -> penstock.check(longValue)))
        .hasMessageContaining("descriptors[0].entries[0].value: 8193 bytes (expected: 0..8192 ");
    assertThat(penstock.check(check("v".repeat(8192)).build()).getAllowed()).isTrue();
    assertThat(penstock.check(check("").build()).getAllowed()).isTrue();
    CancelRequest noId = CancelRequest.getDefaultInstance();
    assertThat(refused(Status.Code.INVALID_ARGUMENT, () -> penstock.cancel(noId)))
        .hasMessageContaining("id: 0 bytes");
  }

  @Test
  void checkBatch_wrongField_namesItsCheckAndDecidesNone() {
    live.put("api/user", "{\"limits\":[\"2/day\"]}");
    CheckBatchRequest batch =
        CheckBatchRequest.newBuilder()
            .addChecks(check("1"))
            .addChecks(check("1").clearDomain())
            .build();
    assertThat(refused(Status.Code.INVALID_ARGUMENT, () -> penstock.checkBatch(batch)))
        .hasMessageEndingWith(": checks[1].domain: 0 bytes (expected: 1..1024 bytes)");
    assertThat(penstock.check(check("1").setCost(0).build()).getRemaining()).isEqualTo(2);
  }
}
