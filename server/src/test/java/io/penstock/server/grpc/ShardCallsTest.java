package io.penstock.server.grpc;

import static io.penstock.server.grpc.PenstockServiceTest.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.penstock.api.v1.Entry;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.api.v1.PenstockGrpc.PenstockBlockingStub;
import io.penstock.api.v1.ResolveShardRequest;
import io.penstock.api.v1.ResolveShardResponse;
import io.penstock.core.policy.Descriptor;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardCallsTest {
  private final ResolveShardRequest.Builder request =
      ResolveShardRequest.newBuilder().setDomain("api");

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

  @Test
  void resolveShard_keyOfASingleServer_isItsOwn() {
    request.addEntries(Entry.newBuilder().setKey("user").setValue("42"));
    ResolveShardResponse told = penstock.resolveShard(request.build());
    assertThat(told.getOwner()).isEqualTo("n1");
    assertThat(told.getEpoch()).isZero();
    assertThat(told.getShard())
        .isEqualTo(live.node.policies().shard("api", Descriptor.of("user", "42")));
  }

  @Test
  void resolveShard_oddEntries_areRefusedByName() {
    StatusRuntimeException none =
        refused(Status.Code.INVALID_ARGUMENT, () -> penstock.resolveShard(request.build()));
    assertThat(none.getStatus().getDescription())
        .isEqualTo("entries: 0 elements (expected: 1..16)");
    request.addEntries(Entry.newBuilder().setValue("1"));
    StatusRuntimeException noKey =
        refused(Status.Code.INVALID_ARGUMENT, () -> penstock.resolveShard(request.build()));
    assertThat(noKey.getStatus().getDescription()).startsWith("entries[0].key: ");
  }
}
