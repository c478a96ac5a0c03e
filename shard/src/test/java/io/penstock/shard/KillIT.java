package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.shard.KilledMain.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a real process had answered when it was killed is there, and every deed is whole. */
@Timeout(300)
class KillIT {
  private static final int ROUNDS = 4;
  private static final int KEYS = 50;

  /** More than can be decided and not yet said. */
  private static final int AHEAD = 100;

  /** The same where much is decided and not said because it is not written in time. */
  private static final int MORE_AHEAD = 2_000_000;

  private static final Duration LOSS_MAX = Duration.ofMillis(25);

  @TempDir Path folder;
  private final SplittableRandom random = new SplittableRandom();

  /** Short journals, so that kills meet snapshots. */
  static ShardOptions options(Path folder) {
    return Ledger.options(folder).small(Ledger.STRIPES, /* journalBytesMin= */ 300_000);
  }

  static long firstKey(long deed) {
    return deed % KEYS;
  }

  static long secondKey(long deed) {
    return KEYS + deed * 7 % KEYS;
  }

  /** Lets a process decide from a deed on until it is killed; answers what it had said and when. */
  private NavigableMap<Long, Long> said(long first, Mode mode) throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "-Xmx256m",
            "-Dnow=" + Ledger.NOW,
            KilledMain.class.getName(),
            folder.toString(),
            Long.toString(first),
            mode.name());
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(said.toFile())
            .start();
    try {
      long wanted = 1L + random.nextInt(mode == Mode.STRICT ? 100_000 : 1_000_000);
      Path held = folder.resolve(KilledMain.HELD_LONG);
      Await.until(
          () ->
              !process.isAlive()
                  || (mode == Mode.HELD ? Files.exists(held) : said.toFile().length() >= wanted));
    } finally {
      process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    }
    String text = Files.readString(said);
    NavigableMap<Long, Long> times = new TreeMap<>();
    for (String line : text.substring(0, text.lastIndexOf('\n')).split("\n", -1)) {
      int space = line.indexOf(' ');
      times.put(Long.valueOf(line.substring(0, space)), Long.valueOf(line.substring(space + 1)));
    }
    return times;
  }

  /** Checks that every deed is whole; answers the number of the first that is missing. */
  private long firstMissing(long most) {
    long[] used = new long[2 * KEYS];
    long missing = -1;
    try (Shard shard = Shard.open(options(folder))) {
      Ledger ledger = new Ledger(shard);
      for (long deed = 0; deed <= most; deed++) {
        assertThat(ledger.hasNote(deed)).as("note %d", deed).isEqualTo(ledger.hasId(deed));
        if (ledger.hasId(deed)) {
          assertThat(missing).as("deed %d is there", deed).isEqualTo(-1);
          used[(int) firstKey(deed)]++;
          used[(int) secondKey(deed)]++;
        } else if (missing < 0) {
          missing = deed;
        }
      }
      for (int key = 0; key < used.length; key++) {
        assertThat(ledger.used(key)).as("key %d", key).isEqualTo(used[key]);
      }
    }
    return missing;
  }

  @Test
  void kill_strict_losesNothingThatWasAnswered() throws Exception {
    long first = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long last = said(first, Mode.STRICT).lastKey();
      assertThat(last).as("answered before the kill").isGreaterThanOrEqualTo(first);
      long missing = firstMissing(last + AHEAD);
      assertThat(missing).as("after %d was answered", last).isGreaterThan(last);
      first = missing;
    }
  }

  @Test
  void kill_fastWhileEveryCoreIsBusy_losesAtMost25MillisOfWhatWasAnswered() throws Exception {
    long first = 0;
    for (int round = 0; round < ROUNDS; round++) {
      first = checkedLoss(first, Mode.FAST);
    }
  }

  @Test
  void kill_fastWhileTheWriterIsHeldBack_losesAtMost25MillisOfWhatWasAnswered() throws Exception {
    checkedLoss(/* first= */ 0, Mode.HELD);
  }

  /** By the clock of the process itself, so that it does not matter how quick this test is. */
  private long checkedLoss(long first, Mode mode) throws Exception {
    NavigableMap<Long, Long> said = said(first, mode);
    long missing = firstMissing(said.lastKey() + MORE_AHEAD);
    assertThat(missing).as("after %d was answered", said.lastKey()).isGreaterThan(first);
    Map.Entry<Long, Long> lost = said.ceilingEntry(missing);
    if (lost != null) {
      Duration loss = Duration.ofNanos(said.lastEntry().getValue() - lost.getValue());
      assertThat(loss).isLessThanOrEqualTo(LOSS_MAX);
    }
    return missing;
  }
}
