package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.SizeInBytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Raft says of leadership, and what a replicated thing is told of it. */
class MachineTest {
  private static final RaftConfigurationProto ANY = RaftConfigurationProto.getDefaultInstance();

  private final List<String> told = new ArrayList<>();
  private final Machine machine =
      new Machine(
          new Listener(),
          () -> told.add("changed"),
          () -> {},
          (group, cause) -> told.add("failed: " + cause.getMessage()),
          Runnable::run);

  private final class Listener implements Replicated {
    @Override
    public byte[] apply(long term, long index, ByteBuffer entry) {
      return new byte[0];
    }

    @Override
    public void leads(long term) {
      told.add("leads in " + term);
    }

    @Override
    public void follows() {
      told.add("follows");
    }

    @Override
    public void received(ByteBuffer entry) {}

    @Override
    public @Nullable Saving saving(long index) {
      return null;
    }

    @Override
    public void clear() {}

    @Override
    public void read(Path file) {}
  }

  @Test
  void r3_leaderReady_ownsInTheTermOfTheConfigurationAppliedJustBefore() {
    machine.notifyConfigurationChanged(/* term= */ 6, /* index= */ 10, ANY);
    machine.notifyConfigurationChanged(/* term= */ 7, /* index= */ 12, ANY);
    assertThat(told).as("a configuration alone makes no owner").isEmpty();
    machine.notifyLeaderReady();
    assertThat(told).containsExactly("leads in 7", "changed");
  }

  @Test
  void r3_notLeader_endsOwnershipBeforeAnotherLeaderIsKnown() {
    machine.notifyConfigurationChanged(/* term= */ 7, /* index= */ 12, ANY);
    machine.notifyLeaderReady();
    told.clear();
    machine.notifyNotLeader(List.of());
    assertThat(told).containsExactly("follows", "changed");
  }

  @Test
  void r10_logCannotBeWritten_isSaid() {
    machine.notifyLogFailed(
        new IOException("No space left on device"), LogEntryProto.getDefaultInstance());
    assertThat(told).containsExactly("failed: No space left on device");
  }

  @Test
  void r3_leaderKnown_beginsAndEndsNothing() {
    RaftPeerId self = RaftPeerId.valueOf("n1.1");
    RaftGroupMemberId member = RaftGroupMemberId.valueOf(self, RaftGroupId.randomId());
    machine.notifyConfigurationChanged(/* term= */ 7, /* index= */ 12, ANY);
    machine.notifyLeaderChanged(member, self);
    machine.notifyLeaderChanged(member, RaftPeerId.valueOf("n2.1"));
    assertThat(told).containsExactly("changed", "changed");
  }

  @Test
  void latestSnapshot_noneWhenItBegan_isNotLookedForOnDisk(@TempDir Path folder) throws Exception {
    try (RaftStorage storage =
        RaftStorage.newBuilder()
            .setDirectory(folder.toFile())
            .setOption(RaftStorage.StartupOption.FORMAT)
            .setStorageFreeSpaceMin(SizeInBytes.valueOf(0))
            .build()) {
      storage.initialize();
      machine.initialize(named("n1.1"), RaftGroupId.randomId(), storage);
      assertThat(machine.getLatestSnapshot()).isNull();
      Path states = storage.getStorageDir().getStateMachineDir().toPath();
      Files.createFile(states.resolve(SimpleStateMachineStorage.getSnapshotFileName(1, 5)));
      assertThat(machine.getLatestSnapshot()).isNull();
      machine.pause();
      machine.reinitialize();
      assertThat(machine.getLatestSnapshot()).returns(5L, SnapshotInfo::getIndex);
      machine.close();
    }
  }

  /** A server of which nothing is asked but its name. */
  private static RaftServer named(String name) {
    return (RaftServer)
        Proxy.newProxyInstance(
            MachineTest.class.getClassLoader(),
            new Class<?>[] {RaftServer.class},
            (self, method, arguments) ->
                method.getName().equals("getId") ? RaftPeerId.valueOf(name) : null);
  }
}
