package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes come and go, and what was decided stays. */
@Timeout(120)
class MembersTest {
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;

  @TempDir Path folder;
  private Trio trio;

  @BeforeEach
  void start() throws IOException {
    trio = new Trio(folder);
    trio.start();
  }

  @AfterEach
  void end() {
    trio.close();
  }

  private static List<String> add(Trio.Node asked, Peer peer) throws Exception {
    return asked.raft().add(peer).toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private static List<String> remove(Trio.Node asked, Trio.Node node) throws Exception {
    return asked.raft().remove(node.name).toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void r24_wipedNode_comesBackAsAnotherMemberAndIsNeeded() throws Exception {
    Trio.Node owner = trio.owner();
    assertThat(owner.take(KEY, 50)).isTrue();
    Trio.Node wiped = trio.without(owner).get(0);
    Trio.Node third = trio.without(owner, wiped).get(0);
    String before = Files.readString(wiped.folder().resolve(Identity.FILE));
    wiped.wipe();
    wiped.start();
    Trio.await(wiped::isWell);
    assertThat(Files.readString(wiped.folder().resolve(Identity.FILE))).isNotEqualTo(before);

    third.stop();
    Trio.await(() -> Boolean.TRUE.equals(trio.owner().take(KEY, 1)));
    owner.stop();
    third.start();
    assertThat(trio.owner().used(KEY)).isBetween(51L, 52L);
    String members = Files.readString(third.folder().resolve(Identity.FILE));
    String incarnation = Files.readAllLines(wiped.folder().resolve(Identity.FILE)).get(2);
    assertThat(members).contains(wiped.name + "." + incarnation + "=");
  }

  /** Whoever led while a new member was silent cannot let it in later; the next leader can. */
  @Test
  void r24_newMemberIsSilent_isGivenUpAndAnotherLeads() throws Exception {
    Trio.Node first = trio.owner();
    Group group = first.raft().group(Trio.GROUP);
    List<RaftPeer> next = new ArrayList<>(group.roster().peers());
    next.add(new Member(trio.peer(trio.another("n4")), "silent").raftPeer());
    assertThatThrownBy(() -> group.roster().configure(next).toCompletableFuture().get())
        .isInstanceOf(ExecutionException.class);
    assertThat(trio.owner()).isNotSameAs(first);
    assertThat(group.replicas()).doesNotContain("n4");
  }

  @Test
  void r24_wipedOwner_comesBackWithWhatItDecided() throws Exception {
    Trio.Node owner = trio.owner();
    assertThat(owner.take(KEY, 1000)).isTrue();
    owner.wipe();
    owner.start();
    Trio.await(owner::isWell);
    for (Trio.Node other : trio.without(owner)) {
      other.stop();
      assertThat(trio.owner().take(KEY, 1)).isFalse();
      other.start();
      Trio.await(other::isWell);
    }
  }

  @Test
  void r8_wipedNodeWhereTheLogIsPurged_comesBackByASnapshot() throws Exception {
    Trio.Node first = trio.owner();
    assertThat(first.take(KEY, 50)).isTrue();
    Membership members =
        Objects.requireNonNull(Identity.open(first.folder(), first.name).membership());
    String group = members.group(Trio.GROUP).toString();
    try (RaftClient client = client(members)) {
      Trio.await(
          () -> {
            Trio.Node now = trio.owner();
            fillAndSave(now, Objects.requireNonNull(members.named(now.name)), client);
            return !holdsFirstEntries(now.folder().resolve("raft").resolve(group));
          });
    }
    Trio.Node owner = trio.owner();
    Trio.Node wiped = trio.without(owner).get(0);
    wiped.wipe();
    wiped.start();
    Trio.await(wiped::isWell);
    assertThat(holdsFirstEntries(wiped.folder().resolve("raft").resolve(group))).isFalse();
    owner.stop();
    assertThat(trio.owner().used(KEY)).isEqualTo(50);
    trio.without(owner, wiped).get(0).stop();
    owner.start();
    Trio.await(() -> wiped.shard != null || owner.shard != null);
    assertThat(trio.owner().used(KEY)).isEqualTo(50);
  }

  /* Entries that are no owner's change nothing; a file of the log holds about a thousand. */
  private static void fillAndSave(Trio.Node owner, Member member, RaftClient client) {
    List<CompletableFuture<?>> appended = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ByteBuffer entry = ByteBuffer.allocate(8 << 10).put(0, (byte) 1);
      appended.add(
          owner
              .raft()
              .group(Trio.GROUP)
              .append(entry)
              .toCompletableFuture()
              .exceptionally(late -> new byte[0]));
    }
    appended.forEach(CompletableFuture::join);
    try {
      RaftPeerId id = RaftPeerId.valueOf(member.id());
      client.getSnapshotManagementApi(id).create(/* creationGap= */ 1, /* timeoutMs= */ 5_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RaftClient client(Membership members) {
    RaftGroupId id = RaftGroupId.valueOf(members.group(Trio.GROUP));
    return RaftClient.newBuilder()
        .setProperties(new RaftProperties())
        .setRaftGroup(
            RaftGroup.valueOf(id, members.members().stream().map(Member::raftPeer).toList()))
        .build();
  }

  private static boolean holdsFirstEntries(Path storage) {
    try (Stream<Path> files = Files.list(storage.resolve("current"))) {
      return files.anyMatch(
          file -> file.getFileName().toString().matches("log_(inprogress_0|0-.*)"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void r24_twoOfThreeWiped_decideNothingUntilOneHasItsDataAgain() throws Exception {
    Trio.Node owner = trio.owner();
    assertThat(owner.take(KEY, 7)).isTrue();
    List<Trio.Node> others = trio.without(owner);
    Path data = others.get(0).wipe();
    others.get(1).wipe();
    for (Trio.Node other : others) {
      other.start();
    }
    for (Trio.Node other : others) {
      Trio.await(
          () ->
              String.valueOf(other.raft().trouble())
                  .contains("its data is gone, and nobody leads cluster"));
      assertThat(other.raft().trouble()).contains("start them on the data that they had");
    }
    Trio.await(() -> String.valueOf(owner.raft().trouble()).contains("nothing is decided: start"));
    assertThat(trio.nodes).allMatch(node -> node.shard == null);

    others.get(0).wipe();
    Files.move(data, others.get(0).folder());
    others.get(0).start();
    assertThat(trio.owner().used(KEY)).isEqualTo(7);
    Trio.await(others.get(1)::isWell);
  }

  @Test
  void r24_livingNode_isNotReplacedByAnotherOfItsName() throws Exception {
    Trio.Node living = trio.without(trio.owner()).get(0);
    try (Raft claims = trio.claiming(living)) {
      Trio.await(() -> String.valueOf(claims.trouble()).contains(", which answers there)"));
    }
    assertThat(living.isWell()).isTrue();
  }

  @Test
  void added_thenTheOwnerRemoved_nothingIsForgotten() throws Exception {
    Trio.Node owner = trio.owner();
    assertThat(owner.take(KEY, 1000)).isTrue();
    Trio.Node fourth = trio.another("n4");
    fourth.start();
    Trio.await(() -> String.valueOf(fourth.raft().trouble()).contains("penstock cluster add n4="));
    Trio.Node asked = trio.without(owner, fourth).get(0);
    assertThat(add(asked, trio.peer(fourth))).containsExactly("n1", "n2", "n3", "n4");
    assertThat(add(asked, trio.peer(fourth))).as("again").hasSize(4);
    for (Trio.Node node : trio.nodes) {
      assertThat(node.raft().group(Trio.GROUP).replicas()).containsExactly("n1", "n2", "n3", "n4");
    }
    Trio.await(fourth::isWell);

    Trio.Node first = trio.owner();
    Trio.Node next = trio.without(first).get(0);
    assertThat(remove(next, first)).hasSize(3).doesNotContain(first.name);
    Trio.await(() -> String.valueOf(first.raft().trouble()).contains("removed from cluster"));
    assertThat(first.shard).isNull();
    assertThat(trio.owner()).isNotSameAs(first);
    assertThat(trio.owner().take(KEY, 1)).isFalse();

    first.stop();
    first.start();
    Trio.await(() -> String.valueOf(first.raft().trouble()).contains("removed from cluster"));
    first.wipe();
    first.start();
    assertThat(add(next, trio.peer(first))).hasSize(4);
    Trio.await(first::isWell);
  }

  @Test
  void removed_whatMostOfTheRestWouldMiss_isRefused() throws Exception {
    Trio.Node owner = trio.owner();
    List<Trio.Node> others = trio.without(owner);
    others.get(0).stop();
    Trio.await(() -> String.valueOf(owner.raft().trouble()).contains("do not answer"));
    assertThatThrownBy(() -> remove(owner, others.get(1)))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nodes that answer: [" + owner.name + "] (expected: most");
    assertThat(remove(owner, others.get(0))).hasSize(2);
    assertThatThrownBy(() -> owner.raft().remove("n9"))
        .hasMessage("node: n9 (expected: one of " + String.join(", ", names(owner)) + ")");
  }

  private static List<String> names(Trio.Node node) {
    return node.raft().group(Trio.GROUP).replicas();
  }

  @Test
  void added_whoDoesNotAnswerOrIsThere_isRefused() throws Exception {
    Trio.Node owner = trio.owner();
    Trio.Node fourth = trio.another("n4");
    assertThatThrownBy(() -> add(owner, trio.peer(fourth)))
        .hasMessageContaining("(expected: one that answers there, started with --node n4");
    Trio.Node other = trio.without(owner, fourth).get(0);
    other.wipe();
    other.start();
    Trio.await(other::isWell);
    assertThat(add(owner, trio.peer(other))).hasSize(3);
  }
}
