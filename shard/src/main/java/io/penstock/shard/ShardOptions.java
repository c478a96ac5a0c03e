package io.penstock.shard;

import io.penstock.core.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a shard is made. Immutable.
 *
 * @param folder where it is kept, or null if in memory only
 * @param clock the time by which decisions are made
 * @param pace the time by which they are written and answered; the same clock, but in tests
 * @param tableBytes what all states may take
 * @param stripes of the table; files can be read by a table of as many or fewer
 * @param idsMax how many request ids are remembered
 * @param idBytes what they may take
 * @param idAgeNanos for how long
 * @param notesMax how many notes there may be, and how many marks of those that were settled
 * @param noteBytes what they may take
 * @param journalBytes how long a journal may grow before a snapshot follows, at the least
 */
public record ShardOptions(
    @Nullable Path folder,
    Clock clock,
    Clock pace,
    long tableBytes,
    int stripes,
    long idsMax,
    long idBytes,
    long idAgeNanos,
    long notesMax,
    long noteBytes,
    long journalBytes) {

  private static final int STRIPES = 4096;
  private static final long IDS_MAX = 2_000_000;
  private static final long ID_BYTES = 256L << 20;
  private static final long ID_AGE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long NOTES_MAX = 1_000_000;
  private static final long NOTE_BYTES = 256L << 20;
  private static final long JOURNAL_BYTES = 64L << 20;

  /** The usual bounds: half of the memory outside the heap for states. */
  public static ShardOptions of(@Nullable Path folder, Clock clock) {
    return of(folder, clock, Runtime.getRuntime().maxMemory() / 2);
  }

  /** The usual bounds, and so much for states. */
  public static ShardOptions of(@Nullable Path folder, Clock clock, long tableBytes) {
    return new ShardOptions(
        folder,
        clock,
        /* pace= */ clock,
        tableBytes,
        STRIPES,
        IDS_MAX,
        ID_BYTES,
        ID_AGE_NANOS,
        NOTES_MAX,
        NOTE_BYTES,
        JOURNAL_BYTES);
  }

  /** The same with request ids that are remembered for so long, and may take so much. */
  public ShardOptions withIds(Duration age, long bytes) {
    return new ShardOptions(
        folder,
        clock,
        pace,
        tableBytes,
        stripes,
        idsMax,
        bytes,
        age.toNanos(),
        notesMax,
        noteBytes,
        journalBytes);
  }

  /**
   * The same that decides by another clock; what is decided is written and answered by the one it
   * had.
   */
  public ShardOptions by(Clock other) {
    return new ShardOptions(
        folder,
        other,
        pace,
        tableBytes,
        stripes,
        idsMax,
        idBytes,
        idAgeNanos,
        notesMax,
        noteBytes,
        journalBytes);
  }

  /** The same with so much for states. */
  ShardOptions with(long otherTableBytes) {
    return new ShardOptions(
        folder,
        clock,
        pace,
        otherTableBytes,
        stripes,
        idsMax,
        idBytes,
        idAgeNanos,
        notesMax,
        noteBytes,
        journalBytes);
  }

  /** Whether decisions have a time of their own, which a test steps for all nodes at once. */
  public boolean isStepped() {
    return pace != clock;
  }

  /** For a shard of few keys: fewer stripes, and snapshots after so many bytes. */
  ShardOptions small(int stripeCount, long journalBytesMin) {
    return new ShardOptions(
        folder,
        clock,
        pace,
        tableBytes,
        stripeCount,
        idsMax,
        idBytes,
        idAgeNanos,
        notesMax,
        noteBytes,
        journalBytesMin);
  }
}
