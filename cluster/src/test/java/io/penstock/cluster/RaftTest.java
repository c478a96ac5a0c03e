package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes find each other, and what one has decided the next one knows. */
@Timeout(120)
class RaftTest {
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;

  @TempDir Path folder;

  @Test
  void owner_stopped_theNextOneKnowsWhatWasTaken() throws Exception {
    try (Trio trio = new Trio(folder)) {
      for (Trio.Node node : trio.nodes) {
        node.start();
      }
      Trio.Node first = trio.owner();
      long taken = 0;
      for (int i = 0; i < 50; i++) {
        taken += Boolean.TRUE.equals(first.take(KEY, 1)) ? 1 : 0;
      }
      assertThat(taken).isEqualTo(50);

      first.stop();
      Trio.Node second = trio.owner();
      assertThat(second).isNotSameAs(first);
      assertThat(second.used(KEY)).isEqualTo(50);
      assertThat(second.take(KEY, 951)).isFalse();
      assertThat(second.take(KEY, 950)).isTrue();

      first.start();
      second.stop();
      Trio.Node third = trio.owner();
      assertThat(third.used(KEY)).isEqualTo(1000);
      assertThat(third.take(KEY, 1)).isFalse();
    }
  }

  @Test
  void entryForAll_isFollowedByAnEmptyOneThatChangesNothing() throws Exception {
    try (Trio trio = new Trio(folder)) {
      trio.start();
      Trio.Node owner = trio.owner();
      assertThat(owner.take(KEY, 7)).isTrue();
      Group group = owner.raft().group(Trio.GROUP);
      long before = group.appliedIndex();
      group.appendForAll(ByteBuffer.allocate(0)).toCompletableFuture().get();
      for (Trio.Node node : trio.nodes) {
        Trio.await(() -> node.raft().group(Trio.GROUP).appliedIndex() >= before + 2);
      }
      assertThat(owner.used(KEY)).isEqualTo(7);
      assertThat(owner.take(KEY, 1)).isTrue();
    }
  }

  @Test
  void allNodes_stoppedAndStartedAgain_knowWhatWasTaken() throws Exception {
    try (Trio trio = new Trio(folder)) {
      for (Trio.Node node : trio.nodes) {
        node.start();
      }
      assertThat(trio.owner().take(KEY, 7)).isTrue();
      trio.nodes.forEach(Trio.Node::stop);
      for (Trio.Node node : trio.nodes) {
        node.start();
      }
      assertThat(trio.owner().used(KEY)).isEqualTo(7);
    }
  }

  @Test
  void r7_ownerWithoutAnswers_givesUpAndSomebodyOwnsWhenTheOthersAreBack() throws Exception {
    try (Trio trio = new Trio(folder)) {
      for (Trio.Node node : trio.nodes) {
        node.start();
      }
      Trio.Node owner = trio.owner();
      assertThat(owner.take(KEY, 3)).isTrue();
      List<Trio.Node> others = trio.nodes.stream().filter(node -> node != owner).toList();
      others.forEach(Trio.Node::stop);
      assertThat(owner.take(KEY, 1)).as("nobody knows").isNull();
      Trio.await(() -> owner.shard == null);
      for (Trio.Node other : others) {
        other.start();
      }
      assertThat(trio.owner().used(KEY)).isBetween(3L, 4L);
    }
  }

  @Test
  void r10_logOfTheOwnerCannotBeWritten_anotherOwnsAndItIsOpenedAnewWhenThereIsRoom()
      throws Exception {
    try (Trio trio = new Trio(folder)) {
      trio.start();
      Trio.Node first = trio.owner();
      assertThat(first.take(KEY, 3)).isTrue();
      RaftGroupId group = Objects.requireNonNull(first.raft().group(Trio.GROUP).id());
      RaftServer.Division before = first.raft().group(Trio.GROUP).opened();
      first.raft().logFailed(group, new IOException("No space left on device"));
      assertThat(first.raft().absence())
          .isEqualTo(
              "log of shards: No space left on device"
                  + " (expected: room for 8 MB; then it goes on)");
      Trio.await(() -> first.shard == null);
      Trio.Node second = trio.owner();
      assertThat(second).isNotSameAs(first);
      assertThat(second.take(KEY, 4)).isTrue();

      Trio.await(() -> first.raft().absence() == null && first.isWell());
      assertThat(first.raft().group(Trio.GROUP).opened()).isNotSameAs(before);
      second.stop();
      assertThat(trio.owner().used(KEY)).isEqualTo(7);
      trio.owner().raft().group(Trio.GROUP).offer(first.name).toCompletableFuture().join();
      Trio.await(() -> first.shard != null);
      assertThat(first.used(KEY)).isEqualTo(7);
      assertThat(first.take(KEY, 1)).isTrue();
    }
  }

  @Test
  void allNodes_startedAgainAtOtherAddresses_findEachOther() throws Exception {
    try (Trio trio = new Trio(folder)) {
      for (Trio.Node node : trio.nodes) {
        node.start();
      }
      assertThat(trio.owner().take(KEY, 7)).isTrue();
      trio.nodes.forEach(Trio.Node::stop);
      trio.move();
      for (Trio.Node node : trio.nodes) {
        node.start();
      }
      assertThat(trio.owner().used(KEY)).isEqualTo(7);
    }
  }

  @Test
  void r24_twoNodesWithoutTheThird_createNoCluster() throws IOException {
    try (Trio trio = new Trio(folder)) {
      trio.nodes.get(0).start();
      trio.nodes.get(1).start();
      assertThat(trio.nodes.get(0).raft().trouble()).contains("not joined yet");
      trio.nodes.get(2).start();
      assertThat(trio.owner().term).isPositive();
    }
  }
}
