package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Clock;
import io.penstock.core.state.Rules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  private final Logger log = Logger.getLogger(Chain.class.getPackageName());

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

  private Contents contents() {
    ShardOptions options =
        ShardOptions.of(crashed, Clock.system(), 64 << 10).small(Ledger.STRIPES, 1);
    return Shard.contents(new Rules(), options);
  }

  /** Reads the crashed folder; answers how many deeds it holds, all of them whole. */
  private int wholeDeeds() throws Exception {
    Contents contents = contents();
    Recovery.run(new Folder(crashed, Folder.FILES, () -> true), contents);
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
  void r9_fileEndsAtAnyByte_holdsTheFirstDeedsWhole() throws Exception {
    int before = 0;
    for (int length = 0; length <= written.length; length++) {
      Files.write(journal, Arrays.copyOf(written, length));
      int deeds = wholeDeeds();
      assertThat(deeds).isGreaterThanOrEqualTo(before);
      before = deeds;
    }
    assertThat(before).isEqualTo(DEEDS);
  }

  /** How many deeds there are up to the end of each frame. */
  private List<Integer> deedsByFrame(FrameScan scan) throws Exception {
    List<Integer> deeds = new ArrayList<>();
    for (int frame = 0; frame < scan.count(); frame++) {
      Files.write(journal, Arrays.copyOf(written, (int) end(scan, frame)));
      deeds.add(wholeDeeds());
    }
    return deeds;
  }

  private static long end(FrameScan scan, int frame) {
    return frame + 1 < scan.count() ? scan.offset(frame + 1) : scan.endLength();
  }

  private FrameScan scan() throws Exception {
    Files.write(journal, written);
    return FrameScan.journal(journal, 1);
  }

  private boolean isDamaged(FrameScan scan, int frame, byte[] damaged) {
    int from = (int) scan.offset(frame);
    int to = (int) end(scan, frame);
    return !Arrays.equals(written, from, to, damaged, from, to);
  }

  /** Reads damaged bytes: what whole frames say is there, and nothing else. */
  private void assertHolds(byte[] damaged, FrameScan scan, List<Integer> deeds) throws Exception {
    boolean[] isLost = new boolean[DEEDS];
    long[] used = new long[DEEDS + 1];
    boolean[] frames = new boolean[scan.count()];
    for (int frame = 0, deed = 0; frame < frames.length; frame++) {
      frames[frame] = !isDamaged(scan, frame, damaged);
      for (; deed < deeds.get(frame); deed++) {
        isLost[deed] = !frames[frame];
        for (int key = deed; key <= deed + 1 && frames[frame]; key++) {
          used[key] = key > 0 && key < deeds.get(frame) ? 2 : 1;
        }
      }
    }
    Files.write(journal, damaged);
    Contents contents = contents();
    Discarded discarded =
        Recovery.run(new Folder(crashed, Folder.FILES, () -> true), contents).discarded();
    boolean isHeaderWhole = Arrays.equals(written, 0, Header.BYTES, damaged, 0, Header.BYTES);
    long lost = isHeaderWhole ? 0 : Header.BYTES;
    boolean isFollowed = false;
    for (int frame = 0; frame < frames.length; frame++) {
      lost += frames[frame] ? 0 : end(scan, frame) - scan.offset(frame);
      isFollowed |= frames[frame] && lost > 0;
    }
    assertThat(discarded.bytes()).isEqualTo(lost);
    assertThat(discarded.damage() != null).isEqualTo(isFollowed);
    try (Shard shard = new Shard(contents, new Unlogged(), null)) {
      Ledger ledger = new Ledger(shard);
      for (int deed = 0; deed < DEEDS; deed++) {
        assertThat(ledger.hasId(deed)).as("id of deed %d", deed).isEqualTo(!isLost[deed]);
        assertThat(ledger.hasNote(deed)).as("note of deed %d", deed).isEqualTo(!isLost[deed]);
      }
      for (int key = 0; key <= DEEDS; key++) {
        assertThat(ledger.used(key)).as("key %d", key).isEqualTo(used[key]);
      }
    }
  }

  @Test
  void r9_anyByteDamaged_losesThatFrameOnly() throws Exception {
    FrameScan scan = scan();
    List<Integer> deeds = deedsByFrame(scan);
    assertThat(scan.count()).isGreaterThan(3);
    for (int at = 0; at < written.length; at++) {
      byte[] damaged = written.clone();
      damaged[at] ^= (byte) (1 << at % 8);
      assertHolds(damaged, scan, deeds);
    }
  }

  /** The lengths of damaged frames do not lead to whole ones any more, nor do they exclude them. */
  @Test
  void recover_manyBytesOverwritten_losesTheirFramesOnly() throws Exception {
    FrameScan scan = scan();
    List<Integer> deeds = deedsByFrame(scan);
    for (byte with : new byte[] {0, 1, -1}) {
      for (int from = Header.BYTES; from < scan.offset(scan.count() - 1); from += 31) {
        byte[] damaged = written.clone();
        int to = (int) Math.min(from + 300, scan.offset(scan.count() - 1));
        Arrays.fill(damaged, from, to, with);
        assertHolds(damaged, scan, deeds);
      }
    }
  }

  @Test
  void recover_zerosAfterTheEnd_areDiscarded() throws Exception {
    Files.write(journal, Arrays.copyOf(written, written.length + 10_000));
    assertThat(wholeDeeds()).isEqualTo(DEEDS);
  }
}
