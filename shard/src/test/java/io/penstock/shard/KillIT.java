package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
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

  /** Lets a process decide from a deed on until it is killed; answers the last it had said. */
  private long lastSaid(long first, boolean strict) throws Exception {
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
            Boolean.toString(strict));
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(said.toFile())
            .start();
    try {
      long wanted = 1L + random.nextInt(strict ? 40_000 : 400_000);
      Await.until(() -> said.toFile().length() >= wanted || !process.isAlive());
    } finally {
      process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    }
    String text = Files.readString(said);
    String[] lines = text.substring(0, text.lastIndexOf('\n')).split("\n");
    return Arrays.stream(lines).mapToLong(Long::parseLong).max().orElse(-1);
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
      long last = lastSaid(first, /* strict= */ true);
      assertThat(last).as("answered before the kill").isGreaterThanOrEqualTo(first);
      long missing = firstMissing(last + AHEAD);
      assertThat(missing).as("after %d was answered", last).isGreaterThan(last);
      first = missing;
    }
  }

  /** How much that is at most is a matter of milliseconds; that it is little is tested here. */
  @Test
  void kill_fast_losesOnlyTheLastThatWereAnswered() throws Exception {
    long first = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long last = lastSaid(first, /* strict= */ false);
      long missing = firstMissing(last + AHEAD);
      assertThat(missing).as("after %d was answered", last).isGreaterThan(first);
      first = missing;
    }
  }
}
