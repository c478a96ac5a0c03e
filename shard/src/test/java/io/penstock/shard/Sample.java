package io.penstock.shard;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.Turn;
import io.penstock.core.state.Turn.Ask;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** A small shard with every kind of record, written the same way every time. */
final class Sample {
  static final Instant TIME = Instant.parse("2026-11-15T12:00:00Z");
  static final Limit LIMIT = Limit.parse("10/year");
  static final long BUCKET = 1L << 40 | 1;
  static final long WINDOW = 2L << 40 | 2;
  static final long LOG = 3L << 40 | 3;
  static final long GIVEN = 4L << 40 | 1;
  static final long RESET = 5L << 40 | 2;

  private final ManualClock clock = new ManualClock(TIME);
  private final Contents contents;
  private final Turn turn = new Turn();

  private Sample(Path folder) {
    contents = Shard.contents(new Rules(), options(folder, clock));
  }

  static ShardOptions options(Path folder, ManualClock clock) {
    return ShardOptions.of(folder, clock, 1 << 20).small(/* stripeCount= */ 4, 64 << 20);
  }

  static byte[] text(String text) {
    return text.getBytes(US_ASCII);
  }

  /** A snapshot of four keys, an id and two notes, and two frames that change them. */
  static void write(Path path) throws IOException {
    Sample sample = new Sample(path);
    Folder folder = new Folder(path, Folder.FILES, () -> true);
    sample.take(BUCKET, Algorithm.GCRA, 3);
    sample.take(WINDOW, Algorithm.FIXED_WINDOW, 4);
    sample.take(LOG, Algorithm.SLIDING_WINDOW_LOG, 1);
    sample.take(RESET, Algorithm.GCRA, 5);
    sample.contents.ids().put(7, 8, text("first"), sample.clock.nanos());
    sample.contents.notes().put(1, 2, text("kept"), sample.clock.nanos() + 1_000_000);
    sample.contents.notes().put(3, 4, text("removed"), sample.clock.nanos() + 1_000_000);
    sample.snapshot(folder);
    Header header = new Header(Header.Kind.JOURNAL, 1, Header.Origin.SNAPSHOT, 4, 0, 0);
    try (FrameFile file = folder.createJournal(header)) {
      sample.frame(file);
      sample.clock.advanceNanos(1_000);
      sample.take(LOG, Algorithm.SLIDING_WINDOW_LOG, 2);
      Rule given = Rules.given(LIMIT, Algorithm.GCRA);
      sample.play(sample.turn.of(GIVEN, given, sample.clock.nanos()).asks(6));
      sample.contents.ids().put(9, 10, text("second"), sample.clock.nanos());
      sample.frame(file);
      Rule rule = sample.contents.rules().shared(LIMIT, Algorithm.GCRA);
      sample.play(sample.turn.of(RESET, rule, sample.clock.nanos()).asks(Ask.RESET, 0, 0));
      sample.contents.notes().remove(3, 4);
      sample.frame(file);
    }
  }

  private void take(long key, Algorithm algorithm, long cost) {
    play(turn.of(key, contents.rules().shared(LIMIT, algorithm), clock.nanos()).asks(cost));
  }

  private void play(Turn asked) {
    contents.table().play(asked);
  }

  private void snapshot(Folder folder) throws IOException {
    try (FrameFile file = folder.createDraft(Header.snapshot(1, 4))) {
      new SnapshotFile(file, () -> true).write(contents, clock.nanos());
    }
    folder.publish(1);
  }

  private void frame(FrameFile file) throws IOException {
    Frame frame = new Frame(contents.rules()).begin(file.next());
    contents.cutInto(frame);
    file.append(frame);
  }
}
