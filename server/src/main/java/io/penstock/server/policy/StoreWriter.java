package io.penstock.server.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes, one after another, and all that wait in one transaction. Thread-safe.
 *
 * <p>There is no thread of its own: whoever gets the lock writes for all who wait for it, so many
 * writers share one flush of the disk.
 */
final class StoreWriter {
  private static final int WAITING_MAX = 1_000;
  private static final System.Logger LOG = System.getLogger(StoreWriter.class.getName());

  /** Room for the pages of a write and then some: less may be what an earlier one left over. */
  private static final long ROOM_BYTES = 64 << 10;

  private static final CounterPlan NO_PLAN = (kind, name, document) -> "";

  private final Database database;
  private final InstantSource clock;
  private final BlockingQueue<Write> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Rows open;
  private long published;
  private boolean isDiskAway;
  private boolean closed;
  private volatile boolean fileInCharge;
  private volatile @Nullable String trouble;
  private volatile @Nullable String unapplied;
  private volatile CounterPlan plan = NO_PLAN;
  private volatile Telling telling = rows -> {};

  private StoreWriter(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  static StoreWriter open(Database database, InstantSource clock, boolean alone)
      throws SQLException {
    StoreWriter writer = new StoreWriter(database, clock);
    Rows rows = database.rows();
    if (alone) {
      /* A node of a cluster is sent what it lost, and must not refuse what is agreed on. */
      database.settle();
    }
    writer.open = rows;
    writer.published = rows.revision();
    return writer;
  }

  void onChange(Consumer<Change> listener) {
    listeners.add(listener);
  }

  interface Telling {
    void tell(Rows rows) throws SQLException;
  }

  /** Has this told too whenever something may be on disk that was not. */
  void alsoTell(Telling more) {
    telling = more;
  }

  void planBy(CounterPlan plan) {
    this.plan = plan;
  }

  boolean isPlanned() {
    return plan != NO_PLAN;
  }

  void reserveForFile() {
    fileInCharge = true;
  }

  /** Carries out a write, together with all others that wait, or throws why not. */
  Written write(Write write) {
    if (!waiting.offer(write)) {
      throw new StoreUnavailableException(WAITING_MAX);
    }
    lock.lock();
    try {
      if (!write.isSettled()) {
        List<Write> batch = new ArrayList<>();
        waiting.drainTo(batch);
        writeAll(batch);
      }
    } finally {
      lock.unlock();
    }
    return write.result();
  }

  /** Carries out writes, in as few transactions as possible. */
  private void writeAll(List<Write> batch) {
    try {
      int from = 0;
      while (from < batch.size()) {
        from += writeSome(batch.subList(from, batch.size()));
      }
    } catch (SQLException | RuntimeException e) {
      StoreUnavailableException failure = failed(e);
      batch.stream().filter(write -> !write.isSettled()).forEach(w -> w.refuse(failure));
    }
  }

  /** Carries out the first writes, as many as bear on none before them; says how many. */
  private int writeSome(List<Write> batch) throws SQLException {
    Rows rows = rows();
    rows.begin();
    Attempt attempt = attempt(rows, clock.instant());
    Independent together = new Independent();
    int tried = 0;
    while (tried < batch.size() && together.add(batch.get(tried).kind, batch.get(tried).name)) {
      attempt.carryOut(batch.get(tried));
      tried++;
    }
    commit(rows, attempt);
    return tried;
  }

  /** Begins to carry out writes in a transaction. */
  Attempt attempt(Rows rows, Instant now) throws SQLException {
    return new Attempt(new WriteRules(rows, plan, now), fileInCharge);
  }

  /** Ends a transaction, and tells everybody what has changed. */
  void commit(Rows rows, Attempt attempt) throws SQLException {
    database.checkPlace();
    rows.commit();
    succeeded();
    attempt.changes().forEach(this::publish);
    attempt.settle();
  }

  /**
   * Makes the documents of the file be these. Everything is checked before anything is written; a
   * disk that fails meanwhile leaves some of it written, and the next load does the rest.
   */
  List<Write> load(FileText text) {
    lock.lock();
    try {
      List<Write> writes = checked(text);
      writeAll(writes);
      writes.forEach(Write::result);
      return writes;
    } catch (SQLException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  private List<Write> checked(FileText text) throws SQLException {
    Rows rows = rows();
    List<Write> writes = FileLoad.writes(rows, text);
    rows.begin();
    List<Problem> problems =
        FileLoad.problems(new WriteRules(rows, NO_PLAN, clock.instant()), writes);
    rows.rollback();
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
    return writes;
  }

  /** Something that is done while nobody else writes. */
  interface Work<T> {
    T with(Rows rows) throws SQLException;
  }

  /** Does something while nobody else writes; what is not committed when it fails is undone. */
  <T> T alone(Work<T> work) {
    lock.lock();
    try {
      return work.with(rows());
    } catch (SQLException e) {
      throw failed(e);
    } catch (RuntimeException e) {
      reopenLater();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Tells everybody what is on disk and was not told. */
  void publishSince(Rows rows) throws SQLException {
    rows.forEachSince(published, this::publish);
    telling.tell(rows);
  }

  /** The connection, opened again if it had failed. */
  private Rows rows() throws SQLException {
    Rows rows = open;
    if (rows == null) {
      rows = database.rows();
      open = rows;
      /* A commit that failed may be on disk all the same. Whoever listens must know it then. */
      publishSince(rows);
    }
    return rows;
  }

  private void publish(Change change) {
    published = change.revision();
    for (Consumer<Change> listener : listeners) {
      try {
        listener.accept(change);
      } catch (RuntimeException e) {
        unapplied = change.name() + ": stored and not in force; restart (" + e.getMessage() + ")";
        LOG.log(System.Logger.Level.ERROR, "A change was stored and not applied: " + change, e);
      }
    }
  }

  private void reopenLater() {
    if (open != null) {
      open.closeQuietly();
      open = null;
    }
  }

  /** Notes that the disk, or somebody who was asked, has failed; later writes try again. */
  private StoreUnavailableException failed(Exception cause) {
    StoreUnavailableException failure = new StoreUnavailableException("policies", cause);
    if (trouble == null || !(cause instanceof SQLException)) {
      LOG.log(System.Logger.Level.ERROR, database.file() + ": cannot be written", cause);
    }
    trouble = failure.getMessage();
    isDiskAway = cause instanceof SQLException;
    reopenLater();
    return failure;
  }

  /** Notes that the disk works. */
  void succeeded() {
    if (trouble != null) {
      LOG.log(System.Logger.Level.INFO, "{0}: policies are written again", database.file());
      trouble = null;
      isDiskAway = false;
    }
  }

  /**
   * Looks whether the file is still there, or whether a disk that failed can be written again. A
   * writer that is at it finds out by itself.
   */
  void probe() {
    if (!lock.tryLock()) {
      return;
    }
    try {
      if (closed) {
        return;
      }
      if (trouble == null) {
        database.checkPlace();
      } else if (isDiskAway && Files.getFileStore(database.file()).getUsableSpace() > ROOM_BYTES) {
        rows().touch();
        succeeded();
      }
    } catch (SQLException e) {
      failed(e);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the disk is still away", e);
    } finally {
      lock.unlock();
    }
  }

  /** Why the last write failed, without paths, or what is not in force; null if all is well. */
  @Nullable String trouble() {
    return trouble == null ? unapplied : trouble;
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      reopenLater();
    } finally {
      lock.unlock();
    }
  }
}
