package io.penstock.shard;

import io.penstock.core.Clock;
import io.penstock.core.state.Rules;
import io.penstock.core.state.StateTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node remembers: states, request ids, notes and marks, and the log that makes them durable.
 * Thread-safe.
 *
 * <p>What is decided and remembered between {@link #enter} and {@link #leave} is durable together
 * or not at all (R9). Whoever is inside must be quick, must not enter again, and must not wait for
 * somebody who is about to enter.
 */
public final class Shard implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Shard.class.getName());
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Contents contents;
  private final Rules rules;
  private final StateTable table;
  private final IdWindow ids;
  private final Notes notes;
  private final Generations generations;
  private final ShardLog log;
  private final @Nullable FolderLock lock;
  private final OnwardClock clock;
  private final Discarded discarded;

  Shard(Contents contents, ShardLog log, @Nullable FolderLock lock) {
    this(contents, log, lock, Discarded.NOTHING);
  }

  private Shard(Contents contents, ShardLog log, @Nullable FolderLock lock, Discarded discarded) {
    this.contents = contents;
    this.rules = contents.rules();
    this.table = contents.table();
    this.ids = contents.ids();
    this.notes = contents.notes();
    this.generations = contents.generations();
    this.log = log;
    this.lock = lock;
    this.clock = contents.clock();
    this.discarded = discarded;
  }

  /**
   * Reads what the folder holds and goes on from there. Throws {@link FolderException} if it
   * cannot.
   */
  public static Shard open(ShardOptions options) {
    return open(options, Folder.FILES);
  }

  static Shard open(ShardOptions options, Folder.Opener opener) {
    Rules rules = new Rules();
    Path path = options.folder();
    if (path == null) {
      return new Shard(contents(rules, options), new Unlogged(), /* lock= */ null);
    }
    Contents contents = contents(rules, options);
    FolderLock lock = FolderLock.take(path);
    try {
      Folder folder = new Folder(path, opener, lock::isInPlace);
      Recovered recovered = Recovery.run(folder, contents);
      goOnFrom(recovered.lastNanos(), contents.clock());
      Journal journal = new Journal(folder, contents, options.journalBytes());
      journal.start(recovered);
      return new Shard(contents, journal, lock, recovered.discarded());
    } catch (IOException e) {
      lock.close();
      throw FolderLock.unwritable(path, e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static void goOnFrom(long lastNanos, OnwardClock clock) {
    clock.goOnFrom(lastNanos);
    if (clock.aheadNanos() > 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the clock is {0} ms behind what is stored: time goes on from there",
          clock.aheadNanos() / NANOS_PER_MILLI);
    }
  }

  /** An empty shard; changes are tracked if there is a folder to write them to. */
  static Contents contents(Rules rules, ShardOptions options) {
    return contents(rules, options, /* isTracked= */ options.folder() != null);
  }

  static Contents contents(Rules rules, ShardOptions options, boolean isTracked) {
    StateTable table =
        isTracked
            ? StateTable.tracked(rules, options.tableBytes(), options.stripes())
            : StateTable.of(rules, options.tableBytes());
    OnwardClock clock = new OnwardClock(options.clock());
    @Nullable LongSupplier generation = isTracked ? table::number : null;
    return new Contents(
        rules,
        table,
        new IdWindow(options.idsMax(), options.idBytes(), options.idAgeNanos(), clock, generation),
        new Marks(options.notesMax(), clock, generation),
        new Notes(options.notesMax(), options.noteBytes(), clock, generation),
        new Generations(),
        clock,
        options.isStepped() ? options.pace() : clock);
  }

  /** Begins a decision, on this thread; answers the generation it belongs to. */
  public long enter() {
    generations.enter();
    return table.number();
  }

  /** Ends a decision, with its ids and notes. */
  public void leave(long generation) {
    generations.leave();
  }

  /**
   * Tells somebody when a generation and all before it are durable, or false if that cannot be had
   * because the disk is away (R5). On this thread if that is known, else on that of the log, which
   * must not be kept waiting.
   */
  public void whenDurable(long generation, Consumer<Boolean> done) {
    log.whenDurable(generation, done);
  }

  /**
   * Whether a decision that was made at an instant, and has left, may be answered at once: false if
   * it would not be written within 25 ms (R14). Waits for the log a little if it is late.
   */
  public boolean keepsUp(long nowNanos) {
    return log.keepsUp(nowNanos);
  }

  /** Whether what is decided becomes durable. */
  public boolean isDurable() {
    return log.isDurable();
  }

  /** Whether other nodes keep what is decided here, and go on from it (R4). */
  public boolean isReplicated() {
    return log.isReplicated();
  }

  /** What is wrong with the log, or null. */
  public @Nullable String trouble() {
    return log.trouble();
  }

  /** What was not whole in the folder when this was opened. */
  public Discarded discarded() {
    return discarded;
  }

  /** The rules that states carry. */
  public Rules rules() {
    return rules;
  }

  public StateTable table() {
    return table;
  }

  public IdWindow ids() {
    return ids;
  }

  public Notes notes() {
    return notes;
  }

  /** What was noted and is settled. */
  public Marks marks() {
    return contents.marks();
  }

  /** Takes keys out of this shard and into it, with all that is remembered of them. */
  public Freight freight() {
    return new Freight(this, contents);
  }

  /**
   * The time by which to decide: that of the clock it was given, or later if the folder held
   * something later, so that a restart never goes back in time.
   */
  public Clock clock() {
    return clock;
  }

  public LogStats stats() {
    return log.stats();
  }

  /** Makes everything durable and stops. */
  @Override
  public void close() {
    log.close();
    if (lock != null) {
      lock.close();
    }
  }
}
