package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Without a disk decisions go on, say so, and are durable again when it is back (R10). */
@Timeout(60)
class DiskAwayTest {
  @TempDir Path folder;
  private final Faults faults = new Faults();

  private Shard open() {
    return Shard.open(Ledger.options(folder), faults);
  }

  private void checkDeeds(Path from, int deeds) {
    try (Shard shard = Ledger.open(from)) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < deeds; deed++) {
        assertThat(ledger.hasId(deed)).as("deed %d of %d", deed, deeds).isTrue();
        assertThat(ledger.hasNote(deed)).isTrue();
      }
      assertThat(shard.ids().size()).isEqualTo(deeds);
      assertThat(ledger.used(0)).isEqualTo(deeds);
      assertThat(ledger.used(1)).isEqualTo(deeds);
    }
  }

  @Test
  void whenDurable_writeFails_isToldFalseAndTrueAgainLater() throws Exception {
    try (Shard shard = open()) {
      Ledger ledger = new Ledger(shard);
      ledger.decide(0, 0, 1);
      assertThat(Ledger.isDurable(shard)).isTrue();
      faults.failToWrite(path -> true);
      ledger.decide(1, 0, 1);
      assertThat(Ledger.isDurable(shard)).isFalse();
      assertThat(shard.isDurable()).isFalse();
      assertThat(shard.trouble()).startsWith("No space left on device");
      ledger.decide(2, 0, 1);
      assertThat(ledger.used(0)).isEqualTo(3);
      Path copy = Files.createDirectory(folder.resolve("copy"));
      ShardTest.copy(folder, copy);
      checkDeeds(copy, 1);
      faults.heal();
      Await.until(shard::isDurable);
      assertThat(shard.trouble()).isNull();
      ledger.decide(3, 0, 1);
      assertThat(Ledger.isDurable(shard)).isTrue();
    }
    checkDeeds(folder, 4);
  }

  @Test
  void r9_syncFails_neverWritesToThatFileAgain() throws Exception {
    try (Shard shard = open()) {
      Ledger ledger = new Ledger(shard);
      faults.failToSync(path -> path.endsWith("journal-1.log"));
      ledger.decide(0, 0, 1);
      assertThat(Ledger.isDurable(shard)).isFalse();
      assertThat(shard.stats().failures()).isEqualTo(1);
      Await.until(shard::isDurable);
      ledger.decide(1, 0, 1);
      assertThat(Ledger.isDurable(shard)).isTrue();
      Await.until(() -> !Files.exists(folder.resolve("journal-1.log")));
    }
    checkDeeds(folder, 2);
  }

  @Test
  void isDurable_noFileCanBeMade_leavesNoFilesBehindAndRecovers() throws Exception {
    try (Shard shard = open()) {
      Ledger ledger = new Ledger(shard);
      faults.failToSync(path -> true);
      ledger.decide(0, 0, 1);
      assertThat(Ledger.isDurable(shard)).isFalse();
      Await.until(() -> shard.stats().failures() >= 4);
      try (var files = Files.list(folder)) {
        assertThat(files.map(path -> path.getFileName().toString()))
            .contains("lock", "journal-1.log")
            .hasSizeLessThanOrEqualTo(3);
      }
      faults.heal();
      Await.until(shard::isDurable);
    }
    checkDeeds(folder, 1);
  }

  @Test
  void r10_onlySnapshotsFailAfterAFailure_staysFalseUntilOneIsThere() throws Exception {
    try (Shard shard = open()) {
      Ledger ledger = new Ledger(shard);
      faults.failToWrite(path -> true);
      ledger.decide(0, 0, 1);
      assertThat(Ledger.isDurable(shard)).isFalse();
      faults.failToWrite(path -> path.toString().endsWith(".draft"));
      Await.until(() -> Files.exists(folder.resolve("journal-2.log")));
      ledger.decide(1, 0, 1);
      assertThat(Ledger.isDurable(shard)).isFalse();
      faults.heal();
      Await.until(shard::isDurable);
    }
    checkDeeds(folder, 2);
  }

  @Test
  void close_diskAway_comesToAnEnd() {
    Shard shard = open();
    faults.failToWrite(path -> true);
    new Ledger(shard).decide(0, 0, 1);
    shard.close();
    checkDeeds(folder, 0);
  }

  @Test
  void r10_folderMovedAway_isToldFalseUntilItIsBack() throws Exception {
    Path data = folder.resolve("data");
    Path elsewhere = folder.resolve("elsewhere");
    try (Shard shard = Ledger.open(data)) {
      Ledger ledger = new Ledger(shard);
      ledger.decide(0, 0, 1);
      assertThat(Ledger.isDurable(shard)).isTrue();
      Files.move(data, elsewhere);
      Await.until(() -> !shard.isDurable());
      ledger.decide(1, 0, 1);
      assertThat(Ledger.isDurable(shard)).isFalse();
      assertThat(shard.trouble()).contains("put it back, or restart");
      Files.move(elsewhere, data);
      Await.until(shard::isDurable);
      assertThat(shard.trouble()).isNull();
      ledger.decide(2, 0, 1);
      assertThat(Ledger.isDurable(shard)).isTrue();
    }
    checkDeeds(data, 3);
  }

  @Test
  void r10_anotherFolderInItsPlace_isLeftAlone() throws Exception {
    Path data = folder.resolve("data");
    try (Shard shard = Ledger.open(data)) {
      Files.move(data, folder.resolve("elsewhere"));
      try (Shard other = Ledger.open(data)) {
        new Ledger(other).decide(0, 0, 1);
        assertThat(Ledger.isDurable(other)).isTrue();
        new Ledger(shard).decide(1, 0, 1);
        Await.until(() -> shard.stats().failures() >= 3);
        assertThat(shard.isDurable()).isFalse();
        assertThat(other.isDurable()).isTrue();
      }
    }
    checkDeeds(data, 1);
  }

  @Test
  void r10_journalDeleted_isWrittenAnew() throws Exception {
    try (Shard shard = open()) {
      Ledger ledger = new Ledger(shard);
      ledger.decide(0, 0, 1);
      assertThat(Ledger.isDurable(shard)).isTrue();
      Files.delete(folder.resolve("journal-1.log"));
      Await.until(() -> shard.stats().failures() == 1);
      Await.until(shard::isDurable);
    }
    checkDeeds(folder, 1);
  }
}
