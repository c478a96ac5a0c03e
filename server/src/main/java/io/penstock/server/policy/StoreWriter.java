package io.penstock.server.policy;

import java.sql.SQLException;
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

  private final Database database;
  private final InstantSource clock;
  private final BlockingQueue<Write> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Rows open;
  private long published;
  private volatile boolean fileInCharge;

  private StoreWriter(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  static StoreWriter open(Database database, InstantSource clock) throws SQLException {
    StoreWriter writer = new StoreWriter(database, clock);
    Rows rows = database.rows();
    writer.open = rows;
    writer.published = rows.revision();
    return writer;
  }

  void onChange(Consumer<Change> listener) {
    listeners.add(listener);
  }

  void reserveForFile() {
    fileInCharge = true;
  }

  /** Carries out a write, together with all others that wait, or throws why not. */
  Written write(Write write) {
    if (!waiting.offer(write)) {
      throw unavailable(new SQLException(WAITING_MAX + " writes wait already"));
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

  private void writeAll(List<Write> batch) {
    try {
      Rows rows = rows();
      rows.begin();
      WriteRules rules = new WriteRules(rows, clock);
      List<Write> accepted = new ArrayList<>();
      List<Written> outcomes = new ArrayList<>();
      List<Change> changes = new ArrayList<>();
      for (Write write : batch) {
        try {
          Change change = rules.apply(write, fileInCharge);
          PolicyDocument document = write.document;
          changes.add(change);
          accepted.add(write);
          outcomes.add(
              new Written(
                  change.version(),
                  document == null ? List.of() : document.warnings(rules.tierOf(document))));
        } catch (InvalidPolicyException | VersionConflictException | ReadOnlyException e) {
          write.refuse(e);
        }
      }
      rows.commit();
      publish(changes);
      for (int i = 0; i < accepted.size(); i++) {
        accepted.get(i).done(outcomes.get(i));
      }
    } catch (SQLException e) {
      reopenLater();
      batch.stream().filter(write -> !write.isSettled()).forEach(w -> w.refuse(unavailable(e)));
    }
  }

  /** Makes the documents of the file be these, all or none. */
  int load(List<FileDocument> documents) {
    lock.lock();
    try {
      Rows rows = rows();
      rows.begin();
      try {
        List<Change> changes = new FileLoad(rows, new WriteRules(rows, clock)).apply(documents);
        rows.commit();
        publish(changes);
        return changes.size();
      } catch (InvalidPolicyException e) {
        rows.rollback();
        throw e;
      }
    } catch (SQLException e) {
      reopenLater();
      throw unavailable(e);
    } finally {
      lock.unlock();
    }
  }

  /** The connection, opened again if it had failed. */
  private Rows rows() throws SQLException {
    Rows rows = open;
    if (rows == null) {
      rows = database.rows();
      open = rows;
      /* A commit that failed may be on disk all the same. Whoever listens must know it then. */
      publish(rows.since(published).stream().map(Row::change).toList());
    }
    return rows;
  }

  private void publish(List<Change> changes) {
    for (Change change : changes) {
      published = change.revision();
      for (Consumer<Change> listener : listeners) {
        try {
          listener.accept(change);
        } catch (RuntimeException e) {
          LOG.log(System.Logger.Level.ERROR, "A change was stored and not applied: " + change, e);
        }
      }
    }
  }

  private void reopenLater() {
    if (open != null) {
      open.closeQuietly();
      open = null;
    }
  }

  private StoreUnavailableException unavailable(SQLException cause) {
    return new StoreUnavailableException(database.file(), cause);
  }

  void close() {
    lock.lock();
    try {
      reopenLater();
    } finally {
      lock.unlock();
    }
  }
}
