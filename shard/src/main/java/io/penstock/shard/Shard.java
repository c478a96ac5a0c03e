package io.penstock.shard;

import io.penstock.core.state.Rules;
import io.penstock.core.state.StateTable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a node remembers: states, request ids and notes, and the log that makes them durable.
 * Thread-safe.
 *
 * <p>A decision is made between {@link #enter} and {@link #leave}; what it writes to {@link #ids}
 * and {@link #notes} goes into the generation that its check was kept in ({@code
 * Together.generation()}), or into {@link #generation} if it changed no state. Then all of it is in
 * one frame, durable together or not at all (R9).
 */
public final class Shard implements AutoCloseable {
  private final StateTable table;
  private final IdWindow ids;
  private final Notes notes;
  private final Generations generations;
  private final ShardLog log;
  private final @Nullable FolderLock lock;
  private final long lastNanos;

  Shard(Contents contents, ShardLog log, @Nullable FolderLock lock, long lastNanos) {
    this.table = contents.table();
    this.ids = contents.ids();
    this.notes = contents.notes();
    this.generations = contents.generations();
    this.log = log;
    this.lock = lock;
    this.lastNanos = lastNanos;
  }

  /**
   * Reads what the folder holds and goes on from there. Throws {@link FolderException} if it
   * cannot.
   */
  public static Shard open(Rules rules, ShardOptions options) {
    return open(rules, options, Folder.FILES);
  }

  static Shard open(Rules rules, ShardOptions options, Folder.Opener opener) {
    Path path = options.folder();
    if (path == null) {
      return new Shard(contents(rules, options), new Unlogged(), null, /* lastNanos= */ 0);
    }
    Contents contents = contents(rules, options);
    FolderLock lock = FolderLock.take(path);
    try {
      Folder folder = new Folder(path, opener);
      Recovered recovered = Recovery.run(folder, contents);
      Journal journal = new Journal(folder, contents, options.journalBytes());
      journal.start(recovered);
      return new Shard(contents, journal, lock, recovered.lastNanos());
    } catch (IOException e) {
      lock.close();
      throw FolderLock.unwritable(path, e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** An empty shard; changes are tracked if there is a folder to write them to. */
  static Contents contents(Rules rules, ShardOptions options) {
    boolean isLogged = options.folder() != null;
    StateTable table =
        isLogged
            ? StateTable.tracked(rules, options.tableBytes(), options.stripes())
            : StateTable.of(rules, options.tableBytes());
    return new Contents(
        rules,
        table,
        new IdWindow(options.idsMax(), options.idBytes(), isLogged),
        new Notes(options.notesMax(), options.noteBytes(), isLogged),
        new Generations(table),
        options.clock());
  }

  /** Begins a decision; hand what it answers to {@link #leave}, on the same thread. */
  public long enter() {
    return generations.enter();
  }

  /** Ends a decision, with its ids and notes. */
  public void leave(long entered) {
    generations.leave(entered);
  }

  /** The generation that has not ended: for ids and notes of a decision that changed no state. */
  public long generation() {
    return table.number();
  }

  /** Tells somebody when everything decided before this call is durable, or cannot be (R5). */
  public void whenDurable(Waiter waiter) {
    log.whenDurable(waiter);
  }

  /** Whether what is decided becomes durable. */
  public boolean isDurable() {
    return log.isDurable();
  }

  /** What is wrong with the log, or null. */
  public @Nullable String trouble() {
    return log.trouble();
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

  /** The newest time that was found in the folder: decisions must not be made before it. */
  public long lastNanos() {
    return lastNanos;
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
