package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many writers at once, on all nodes of a cluster. */
class ReplicaWritersTest {
  private static final int NODES = 3;
  private static final int WRITERS = 50;
  private static final String TEN = "{\"limits\":[\"10/s\"]}";

  @TempDir Path folder;

  private final List<Member> members = new ArrayList<>();
  private long index;

  @BeforeEach
  void open() throws Exception {
    for (int i = 0; i < NODES; i++) {
      Path own = Files.createDirectory(folder.resolve("n" + i));
      int number = i;
      members.add(new Member(own, () -> Instant.EPOCH, write -> commit(number, write)));
    }
  }

  @AfterEach
  void close() {
    members.forEach(Member::close);
  }

  /** One entry after another, on every node; each node says what became of its own. */
  private synchronized byte[] commit(int proposer, byte[] write) {
    index++;
    byte[] settlement = {};
    for (int i = 0; i < NODES; i++) {
      byte[] here = members.get(i).store().apply(index, write);
      settlement = i == proposer ? here : settlement;
    }
    return settlement;
  }

  @Test
  void r16_manyWritersOfOneScope_eachVersionIsWonOnce() throws Exception {
    members.get(0).store().put(Kind.POLICY, "a/k", TEN, new Expected.Absent(), "anna");
    List<Long> won = Collections.synchronizedList(new ArrayList<>());
    List<Long> lost = Collections.synchronizedList(new ArrayList<>());
    atOnce(
        writer -> {
          PolicyStore store = members.get(writer % NODES).store();
          for (int i = 0; i < 4; i++) {
            long seen = Objects.requireNonNull(store.get(Kind.POLICY, "a/k")).version();
            try {
              Expected expected = new Expected.Version(seen);
              Written written = store.put(Kind.POLICY, "a/k", TEN, expected, "w" + writer);
              assertThat(written.version()).as("next to the one expected").isEqualTo(seen + 1);
              won.add(written.version());
            } catch (VersionConflictException conflict) {
              assertThat(conflict).hasMessageContaining("expected: version " + seen);
              lost.add(seen);
            }
          }
        });
    assertThat(won.size() + lost.size()).isEqualTo(4 * WRITERS);
    for (Member member : members) {
      List<Change> history =
          member.store().history(Kind.POLICY, "a/k", Change.NEVER, 1_000).items();
      assertThat(won).doesNotHaveDuplicates().hasSize(history.size() - 1);
      assertThat(history)
          .isEqualTo(
              members.get(0).store().history(Kind.POLICY, "a/k", Change.NEVER, 1_000).items());
    }
  }

  @Test
  void put_manyWritersOfOtherScopes_eachGetsItsOwnAnswer() throws Exception {
    atOnce(
        writer -> {
          PolicyStore store = members.get(writer % NODES).store();
          for (int version = 1; version <= 3; version++) {
            Expected expected =
                version == 1 ? new Expected.Absent() : new Expected.Version(version - 1);
            String scope = "a/k=" + writer;
            assertThat(store.put(Kind.POLICY, scope, TEN, expected, "anna").version())
                .isEqualTo(version);
            assertThat(Objects.requireNonNull(store.get(Kind.POLICY, scope)).version())
                .isEqualTo(version);
          }
        });
    for (Member member : members) {
      assertThat(member.store().list(Kind.POLICY, null, 1_000).items()).hasSize(WRITERS);
      assertThat(member.store().revision()).isEqualTo(3L * WRITERS);
    }
  }

  private interface Task {
    void run(int writer) throws Exception;
  }

  private static void atOnce(Task task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      CountDownLatch start = new CountDownLatch(WRITERS);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        all.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  task.run(writer);
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
