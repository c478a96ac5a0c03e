package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A damaged file does not keep a shard from opening: it keeps what is whole and says the rest. */
@Timeout(60)
class DamageTest {
  @TempDir Path folder;
  private final LogLines log = new LogLines(Chain.class.getPackageName(), Level.ALL);

  @AfterEach
  void endListening() {
    log.close();
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /** Opens, decides deeds from a number to another, and closes. */
  private void decide(int from, int to) {
    try (Shard shard = Ledger.open(folder)) {
      Ledger ledger = new Ledger(shard);
      for (int deed = from; deed < to; deed++) {
        ledger.decide(deed, deed, deed + 1);
      }
    }
  }

  private boolean[] deeds(int count) {
    boolean[] found = new boolean[count];
    try (Shard shard = Ledger.open(folder)) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < count; deed++) {
        found[deed] = ledger.hasId(deed);
      }
    }
    return found;
  }

  private void damage(String name, int fromEnd) throws IOException {
    byte[] bytes = Files.readAllBytes(file(name));
    bytes[bytes.length - fromEnd] ^= 1;
    Files.write(file(name), bytes);
  }

  /** What an open shard says of what it did not find whole. */
  private Discarded discarded() {
    try (Shard shard = Ledger.open(folder)) {
      return shard.discarded();
    }
  }

  /** Publishes a snapshot by having a failure of the disk repaired. */
  private void snapshot(int from, int to) throws Exception {
    Faults faults = new Faults();
    try (Shard shard = Shard.open(Ledger.options(folder), faults)) {
      faults.failToWrite(path -> true);
      Ledger ledger = new Ledger(shard);
      for (int deed = from; deed < to; deed++) {
        ledger.decide(deed, deed, deed + 1);
      }
      assertThat(Ledger.isDurable(shard)).isFalse();
      faults.heal();
      Await.until(shard::isDurable);
    }
  }

  @Test
  void open_everythingWhole_saysNothing() {
    decide(0, 3);
    decide(3, 5);
    assertThat(deeds(5)).containsOnly(true);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void r9_tornTail_isDiscardedAndSaid() throws Exception {
    decide(0, 3);
    Path journal = file("journal-1.log");
    long whole = Files.size(journal);
    Files.write(journal, Arrays.copyOf(Files.readAllBytes(journal), (int) whole + 7));
    assertThat(discarded()).isEqualTo(new Discarded(7, /* damage= */ null));
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains("journal-1.log", "discarded 7 bytes", "offset " + whole);
    assertThat(deeds(3)).containsOnly(true);
  }

  /** What was written after a torn tail counts, and the tail is not spoken of again. */
  @Test
  void open_againAfterATornTail_goesOnFromWhatWasWhole() throws Exception {
    decide(0, 3);
    damage("journal-1.log", 5);
    decide(3, 5);
    log.lines().clear();
    assertThat(deeds(5)).containsExactly(false, false, false, true, true);
    assertThat(log.lines()).isEmpty();
  }

  /** Whether this was there before, nobody can tell: it was no write that a kill has cut short. */
  @Test
  void open_moreBehindAnOlderJournal_usesNothingOfItAndSaysSo() throws Exception {
    decide(0, 2);
    decide(2, 4);
    Path journal = file("journal-1.log");
    long whole = Files.size(journal);
    byte[] more = new byte[333];
    Arrays.fill(more, (byte) 0x5a);
    Files.write(journal, more, StandardOpenOption.APPEND);
    assertThat(discarded().damage()).isNull();
    assertThat(log.lines())
        .containsExactly(
            journal + ": nothing is used of 333 bytes from offset " + whole + ", behind its end");
    assertThat(deeds(4)).containsOnly(true);
  }

  @Test
  void open_journalInTheMiddleDamaged_keepsWhatIsBeforeAndBehindIt() throws Exception {
    decide(0, 2);
    decide(2, 4);
    decide(4, 6);
    damage("journal-2.log", 5);
    assertThat(deeds(6)).containsExactly(true, true, false, false, true, true);
    assertThat(log.lines())
        .anyMatch(line -> line.contains("journal-2.log: damaged or torn"))
        .noneMatch(line -> line.contains("journal-3.log"));
    decide(6, 7);
    assertThat(deeds(7)).containsExactly(true, true, false, false, true, true, true);
  }

  /** Said once: a snapshot soon takes the place of what is damaged. */
  @Test
  void open_olderJournalDamaged_isDamageUntilASnapshotIsThere() throws Exception {
    decide(0, 2);
    decide(2, 4);
    damage("journal-1.log", 5);
    try (Shard shard = Ledger.open(folder)) {
      assertThat(shard.discarded().bytes()).isPositive();
      assertThat(shard.discarded().damage())
          .startsWith("journal-1.log was damaged: discarded ")
          .doesNotContain(folder.toString());
      assertThat(shard.isDurable()).isTrue();
      Await.until(() -> shard.stats().snapshots() == 1);
    }
    assertThat(discarded()).isEqualTo(Discarded.NOTHING);
    assertThat(deeds(4)).containsExactly(false, false, true, true);
  }

  @Test
  void open_journalInTheMiddleMissing_keepsWhatIsBehindIt() throws Exception {
    decide(0, 2);
    decide(2, 4);
    decide(4, 6);
    Files.delete(file("journal-2.log"));
    assertThat(discarded().damage()).startsWith("journal 2 is missing");
    assertThat(deeds(6)).containsExactly(true, true, false, false, true, true);
  }

  @Test
  void open_journalEmptyBesideItsSnapshot_isDamage() throws Exception {
    snapshot(0, 3);
    long number = new Folder(folder, Folder.FILES, () -> true).snapshots().last();
    decide(3, 4);
    Files.write(file("journal-" + number + ".log"), new byte[0]);
    assertThat(discarded().damage()).startsWith("journal-" + number + ".log is empty: what was");
    assertThat(deeds(4)).containsOnly(true);
  }

  /** Each later journal goes on from the one that was emptied, which a start cut short is not. */
  @Test
  void open_olderJournalEmptied_isDamage() throws Exception {
    decide(0, 2);
    decide(2, 4);
    Files.write(file("journal-1.log"), new byte[0]);
    assertThat(discarded().damage()).startsWith("journal-1.log is empty: what was written to it");
    assertThat(log.lines())
        .anyMatch(line -> line.endsWith("journal-1.log: empty: what was written to it is lost"))
        .noneMatch(line -> line.contains("discarded"));
  }

  /** Nobody can tell whether it ever held anything: a start may be cut short right there. */
  @Test
  void open_newestJournalEmpty_isNoDamageAndSaid() throws Exception {
    decide(0, 2);
    Files.write(file("journal-2.log"), new byte[0]);
    assertThat(discarded()).isEqualTo(Discarded.NOTHING);
    assertThat(log.lines())
        .containsExactly(
            file("journal-2.log") + ": empty: what was written to it, if anything, is lost");
    assertThat(deeds(2)).containsOnly(true);
  }

  @Test
  void open_headerDamagedAndFramesWhole_keepsThem() throws Exception {
    decide(0, 2);
    decide(2, 4);
    decide(4, 6);
    for (String name : List.of("journal-1.log", "journal-2.log", "journal-3.log")) {
      byte[] bytes = Files.readAllBytes(file(name));
      bytes[9] ^= 1;
      Files.write(file(name), bytes);
    }
    assertThat(discarded().damage()).contains("journal-1.log", "journal-2.log", "journal-3.log");
    assertThat(deeds(6)).containsOnly(true);
  }

  @Test
  void open_headerDamaged_startsWithoutThatFile() throws Exception {
    decide(0, 2);
    decide(2, 4);
    byte[] bytes = Files.readAllBytes(file("journal-2.log"));
    Files.write(file("journal-2.log"), Arrays.copyOf(bytes, 20));
    assertThat(deeds(4)).containsExactly(true, true, false, false);
    assertThat(log.lines())
        .anyMatch(line -> line.contains("journal-2.log") && line.contains("20 bytes"));
    assertThat(discarded()).as("a start that was cut short").isEqualTo(new Discarded(20, null));
  }

  @Test
  void open_snapshotDamagedAndOlderFilesThere_fallsBackToThem() throws Exception {
    decide(0, 3);
    decide(3, 5);
    Files.write(file("snapshot-2.bin"), new byte[100]);
    assertThat(deeds(5)).containsOnly(true);
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains("snapshot-2.bin: damaged or torn: discarded 100 bytes");
  }

  @Test
  void open_snapshotDamagedAndNothingElse_keepsTheJournalAndRepairs() throws Exception {
    snapshot(0, 3);
    long number = new Folder(folder, Folder.FILES, () -> true).snapshots().last();
    decide(3, 4);
    damage("snapshot-" + number + ".bin", 20);
    assertThat(deeds(4)).containsExactly(false, false, false, true);
    assertThat(log.lines()).anyMatch(line -> line.contains("nothing older leads up to it"));
    try (Shard shard = Ledger.open(folder)) {
      Await.until(shard::isDurable);
    }
    log.lines().clear();
    assertThat(deeds(4)).containsExactly(false, false, false, true);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void open_snapshotDeleted_keepsTheJournalSaysSoAndRepairs() throws Exception {
    snapshot(0, 3);
    long number = new Folder(folder, Folder.FILES, () -> true).snapshots().last();
    decide(3, 4);
    Files.delete(file("snapshot-" + number + ".bin"));
    assertThat(deeds(4)).containsExactly(false, false, false, true);
    assertThat(log.lines()).anyMatch(line -> line.contains("what was before it is missing"));
    try (Shard shard = Ledger.open(folder)) {
      Await.until(shard::isDurable);
    }
    log.lines().clear();
    assertThat(deeds(4)).containsExactly(false, false, false, true);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void open_draftLeftBehind_isDeleted() throws Exception {
    decide(0, 2);
    Files.write(file("snapshot-9.draft"), new byte[100]);
    assertThat(deeds(2)).containsOnly(true);
    assertThat(file("snapshot-9.draft")).doesNotExist();
  }

  @Test
  void open_formatOfALaterVersion_refusesAndTouchesNothing() throws Exception {
    decide(0, 2);
    Header header = new Header(Header.Kind.JOURNAL, 1, Header.Origin.EMPTY, Ledger.STRIPES, 0, 0);
    byte[] bytes = Files.readAllBytes(file("journal-1.log"));
    byte[] later = header.write(Header.FORMAT + 1).array();
    System.arraycopy(later, 0, bytes, 0, Header.BYTES);
    Files.write(file("journal-1.log"), bytes);
    assertThatThrownBy(() -> Ledger.open(folder))
        .isInstanceOf(FolderException.class)
        .hasMessageContaining("journal-1.log: format 2 (expected: 1");
    assertThat(Files.readAllBytes(file("journal-1.log"))).isEqualTo(bytes);
  }
}
