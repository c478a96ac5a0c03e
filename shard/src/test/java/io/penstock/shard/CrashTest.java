package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Clock;
import io.penstock.core.state.Rules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Wherever a file ends or is damaged, every decision is there whole or not at all (R9). */
@Timeout(120)
class CrashTest {
  private static final int DEEDS = 8;

  @TempDir Path folder;
  private Path crashed = Path.of("");
  private Path journal = Path.of("");
  private byte[] written = {};

  /* Thousands of times it says what it discards. */
  private final Logger log = Logger.getLogger(Chain.class.getName());

  @BeforeEach
  void silence() {
    log.setLevel(Level.OFF);
  }

  @AfterEach
  void endSilence() {
    log.setLevel(null);
  }

  /** Deed d takes from keys d and d + 1, so that each key shows its two deeds. */
  @BeforeEach
  void write() throws Exception {
    Path source = Files.createDirectory(folder.resolve("source"));
    try (Shard shard = Shard.open(Ledger.options(source))) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < DEEDS; deed++) {
        ledger.decide(deed, deed, deed + 1);
        if (deed % 3 != 0) {
          assertThat(Ledger.isDurable(shard)).isTrue();
        }
      }
    }
    written = Files.readAllBytes(source.resolve("journal-1.log"));
    crashed = Files.createDirectory(folder.resolve("crashed"));
    journal = crashed.resolve("journal-1.log");
  }

  /** Reads the crashed folder; answers how many deeds it holds, all of them whole. */
  private int wholeDeeds() throws Exception {
    ShardOptions options =
        ShardOptions.of(crashed, Clock.system(), 64 << 10).small(Ledger.STRIPES, 1);
    Contents contents = Shard.contents(new Rules(), options);
    Recovery.run(new Folder(crashed, Folder.FILES), contents);
    try (Shard shard = new Shard(contents, new Unlogged(), null)) {
      Ledger ledger = new Ledger(shard);
      int deeds = 0;
      while (ledger.hasId(deeds)) {
        deeds++;
      }
      for (int deed = 0; deed < DEEDS; deed++) {
        assertThat(ledger.hasId(deed))
            .as("id of deed %d of %d", deed, deeds)
            .isEqualTo(deed < deeds);
        assertThat(ledger.hasNote(deed)).as("note of deed %d", deed).isEqualTo(deed < deeds);
      }
      for (int key = 0; key <= DEEDS; key++) {
        int used = (key < deeds ? 1 : 0) + (key > 0 && key <= deeds ? 1 : 0);
        assertThat(ledger.used(key)).as("key %d after %d deeds", key, deeds).isEqualTo(used);
      }
      return deeds;
    }
  }

  @Test
  void recover_fileEndsAtAnyByte_holdsTheFirstDeedsWhole() throws Exception {
    int before = 0;
    for (int length = 0; length <= written.length; length++) {
      Files.write(journal, Arrays.copyOf(written, length));
      int deeds = wholeDeeds();
      assertThat(deeds).isGreaterThanOrEqualTo(before);
      before = deeds;
    }
    assertThat(before).isEqualTo(DEEDS);
  }

  @Test
  void recover_anyByteDamaged_holdsWhatWasBeforeItWhole() throws Exception {
    Files.write(journal, written);
    assertThat(wholeDeeds()).isEqualTo(DEEDS);
    for (int at = 0; at < written.length; at++) {
      byte[] damaged = written.clone();
      damaged[at] ^= (byte) (1 << at % 8);
      Files.write(journal, damaged);
      assertThat(wholeDeeds()).isLessThan(DEEDS);
    }
  }

  @Test
  void recover_zerosAfterTheEnd_areDiscarded() throws Exception {
    Files.write(journal, Arrays.copyOf(written, written.length + 10_000));
    assertThat(wholeDeeds()).isEqualTo(DEEDS);
  }
}
