package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit that failed for its store may be on disk all the same (R16, R23). */
class DoubtfulCommitTest {
  private static final LateGroup THIRD = new LateGroup(3, "n1.a=h:1", /* filled= */ false);
  private static final Placement MOVING = new Placement(17, Placement.NONE, 0, 1, 3);
  private static final byte[] UNREADABLE = {99};

  @TempDir Path folder;

  private final List<Object> heard = new ArrayList<>();
  private final byte[] grow = new LogEntry.Grow(THIRD).encode();
  private final byte[] move = new LogEntry.Move(MoveStep.begin(17, 1, 3)).encode();
  private PolicyStore store;

  @BeforeEach
  void open() {
    store = store("policies.db");
    store.moves().followGroups(heard::add);
    store.moves().follow(heard::add);
  }

  private PolicyStore store(String name) {
    PolicyStore opened =
        PolicyStore.replica(folder.resolve(name), () -> Instant.EPOCH, entry -> entry);
    opened.planBy((kind, document, json) -> "");
    return opened;
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** As far as the store knows, both entries have failed; they are in its file. */
  private void failAndCommit() {
    assertThatThrownBy(() -> store.apply(1, UNREADABLE)).isInstanceOf(RuntimeException.class);
    try (PolicyStore same = store("policies.db")) {
      same.apply(1, grow);
      same.apply(2, move);
    }
    assertThat(heard).isEmpty();
  }

  @Test
  void r23_commitThatFailedAndIsOnDisk_isToldWhenItIsReplayed() {
    failAndCommit();
    assertThat(store.apply(1, grow)).as("carried out before").isEmpty();
    assertThat(store.apply(2, move)).isEmpty();
    assertThat(heard).as("groups before what is in them").containsExactly(THIRD, MOVING);
  }

  @Test
  void r23_copyOfWhatFailedAndIsOnDisk_isTold() {
    failAndCommit();
    Path copy = folder.resolve("copy");
    try (PolicyStore other = store("other.db")) {
      other.apply(1, grow);
      other.apply(2, move);
      other.save(copy);
    }
    assertThat(store.load(copy)).as("nothing more").isFalse();
    assertThat(heard).containsExactly(THIRD, MOVING);
  }
}
