package io.penstock.shard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Algorithm;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.testkit.ManualClock;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that earlier versions wrote are read, for as long as there are any. */
class FormatTest {
  private static final List<String> FILES = List.of("snapshot-1.bin", "journal-1.log");

  @TempDir Path folder;
  private final ManualClock clock = new ManualClock(Sample.TIME);

  private static byte[] kept(int format, String file) throws Exception {
    String name = "/format-" + format + "/" + file;
    try (InputStream in = FormatTest.class.getResourceAsStream(name)) {
      return requireNonNull(in, name).readAllBytes();
    }
  }

  /** A change of what is written needs a new format number, and a folder of its own here. */
  @Test
  void write_thisFormat_isAsItWasKept() throws Exception {
    Sample.write(folder);
    for (String file : FILES) {
      assertThat(Files.readAllBytes(folder.resolve(file)))
          .as(file)
          .isEqualTo(kept(Header.FORMAT, file));
    }
  }

  @Test
  void read_copyForAReplicaOfANewerVersion_isRefused() throws Exception {
    Replica replica = new Replica(Sample.options(folder, clock));
    Path file = folder.resolve("copy");
    replica.copy(1).write(file);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    Header header = new Header(Header.Kind.SNAPSHOT, 1, Header.Origin.EMPTY, 4, 0, 0);
    Files.write(file, bytes.put(header.write(Header.FORMAT + 1)).array());
    assertThatThrownBy(() -> replica.read(file))
        .hasMessage(file + ": format 2 (expected: 1, written by this version)");
  }

  @Test
  void formats_all_areDocumented() throws Exception {
    assertThat(Files.readString(Path.of("../docs/upgrading.md")))
        .contains("| `Entry` | " + Entry.FORMAT + " |")
        .contains("| `journal-N.log`, `snapshot-N.bin` | " + Header.FORMAT + " |");
  }

  @Test
  void open_formatOne_holdsEverythingThatWasWritten() throws Exception {
    for (String file : FILES) {
      Files.write(folder.resolve(file), kept(1, file));
    }
    try (Shard shard = Shard.open(Sample.options(folder, clock))) {
      assertThat(remaining(shard, Sample.BUCKET, Algorithm.GCRA)).isEqualTo(7);
      assertThat(remaining(shard, Sample.WINDOW, Algorithm.FIXED_WINDOW)).isEqualTo(6);
      assertThat(remaining(shard, Sample.LOG, Algorithm.SLIDING_WINDOW_LOG)).isEqualTo(7);
      assertThat(remaining(shard, Sample.RESET, Algorithm.GCRA)).isEqualTo(10);
      Rule given = Rules.given(Sample.LIMIT, Algorithm.GCRA);
      assertThat(remaining(shard, Sample.GIVEN, given)).isEqualTo(4);
      assertThat(shard.ids().get(7, 8)).isEqualTo(Sample.text("first"));
      assertThat(shard.ids().get(9, 10)).isEqualTo(Sample.text("second"));
      assertThat(shard.notes().get(1, 2)).isEqualTo(Sample.text("kept"));
      assertThat(shard.notes().get(3, 4)).isNull();
      assertThat(shard.clock().nanos()).isGreaterThan(clock.nanos());
    }
  }

  private static long remaining(Shard shard, long key, Algorithm algorithm) {
    return remaining(shard, key, shard.rules().shared(Sample.LIMIT, algorithm));
  }

  private static long remaining(Shard shard, long key, Rule rule) {
    Turn turn = new Turn();
    shard.table().play(turn.of(key, rule, shard.clock().nanos()).asks(0));
    return turn.step().remaining();
  }
}
