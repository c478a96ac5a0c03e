package io.penstock.server.policy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Policies and tiers with their history, on disk. Thread-safe; a write returns when it is on disk
 * and everybody who listens has heard of it.
 *
 * <p>While the disk is full or away, writes throw {@link StoreUnavailableException} and reads go
 * on; writes work again by themselves when the disk does.
 */
public final class PolicyStore implements AutoCloseable {
  private static final int PAGE_MAX = 1_000;
  private static final int HISTORY_MAX = 10_000;
  private static final int BY_CHARS_MAX = 256;
  private static final long PROBE_MILLIS = 500;
  private static final System.Logger LOG = System.getLogger(PolicyStore.class.getName());

  private final Database database;
  private final StoreWriter writer;
  private final Object readLock = new Object();
  private final List<String> losses = new CopyOnWriteArrayList<>();
  private @Nullable Rows reader;

  private PolicyStore(Database database, StoreWriter writer) {
    this.database = database;
    this.writer = writer;
  }

  /**
   * Opens the store in a file, or makes it. What is damaged is moved aside, and what is whole of it
   * is kept.
   */
  public static PolicyStore open(Path file, InstantSource clock) {
    Database database = new Database(file);
    try {
      String loss = Repair.ifNeeded(database, clock);
      PolicyStore store = new PolicyStore(database, StoreWriter.open(database, clock));
      store.addLoss(loss);
      return store;
    } catch (SQLException e) {
      throw new StoreUnavailableException(file, e);
    }
  }

  private void addLoss(@Nullable String loss) {
    if (loss != null) {
      losses.add(loss);
    }
  }

  /** Looks from time to time whether a disk that failed can be written again. */
  public void start(ScheduledExecutorService timer) {
    var unused =
        timer.scheduleWithFixedDelay(
            writer::probe, PROBE_MILLIS, PROBE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The document in force, or null. */
  public @Nullable Stored get(Kind kind, String name) {
    Row row = this.<@Nullable Row>read(rows -> rows.live(kind, name));
    return row == null ? null : stored(row);
  }

  /**
   * Documents in force by name.
   *
   * @param after only those behind this name; null for the first ones
   * @param limit at most so many, and never more than a thousand
   */
  public List<Stored> list(Kind kind, @Nullable String after, int limit) {
    int most = Math.max(0, Math.min(limit, PAGE_MAX));
    return read(rows -> rows.live(kind, after, most)).stream().map(PolicyStore::stored).toList();
  }

  /** Changes of a document, newest first; empty if it never existed. */
  public List<Change> history(Kind kind, String name, int limit) {
    int most = Math.max(0, Math.min(limit, HISTORY_MAX));
    return read(rows -> rows.history(kind, name, most)).stream().map(Row::change).toList();
  }

  /** Puts a document in force. */
  public Written put(Kind kind, String name, String json, Expected expected, String by) {
    DocumentName.check(kind, name);
    return writer.write(Write.put(kind, name, json, expected, cut(by)));
  }

  /** Takes a document out of force; its history stays. */
  public Written delete(Kind kind, String name, Expected expected, String by) {
    if (DocumentName.problem(kind, name) != null) {
      throw new VersionConflictException(name + ": not there (expected: a document to delete)");
    }
    return writer.write(Write.delete(kind, name, expected, cut(by)));
  }

  /** From now on documents that came from a file are changed only by {@link #load}. */
  void reserveForFile() {
    writer.reserveForFile();
  }

  /** Makes the documents of the file be these, all or none; says how many changed. */
  int load(List<FileDocument> documents) {
    return writer.load(documents);
  }

  /** Who decides about counters from now on; until then documents are stored without. */
  public void planBy(CounterPlan plan) {
    writer.planBy(plan);
  }

  /** Calls somebody with each change, in order, after it is on disk. Must not block. */
  public void onChange(Consumer<Change> listener) {
    writer.onChange(listener);
  }

  /**
   * Reads what is in force and where it comes from: every change of a tier, then the policies that
   * exist, each in the order of their changes.
   */
  public void forEachCurrent(Consumer<Change> reader) {
    try (Rows rows = new Rows(database.connect())) {
      Predicate<Row> each =
          row -> {
            reader.accept(row.change());
            return true;
          };
      tellDamaged(rows.forEachChange(Kind.TIER, each), Kind.TIER);
      tellDamaged(rows.forEachLive(Kind.POLICY, each), Kind.POLICY);
    } catch (SQLException e) {
      throw new StoreUnavailableException(database.file(), e);
    }
  }

  private void tellDamaged(long damaged, Kind kind) {
    if (damaged > 0) {
      addLoss("discarded " + damaged + " documents of kind " + Words.of(kind));
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: discarded {1} documents of kind {2} whose checksum does not match",
          database.file(),
          damaged,
          Words.of(kind));
    }
  }

  /** The number of the last change; 0 if there is none. */
  public long revision() {
    return read(Rows::revision);
  }

  /** What damage to the file has cost since it was opened, without paths; null if nothing. */
  public @Nullable String loss() {
    return losses.isEmpty() ? null : String.join("; ", losses);
  }

  /** Why the last write failed, for whoever watches; null if it did not. */
  public @Nullable String trouble() {
    return writer.trouble();
  }

  @Override
  public void close() {
    writer.close();
    synchronized (readLock) {
      closeReader();
    }
  }

  /** A question to the database. */
  private interface Query<T extends @Nullable Object> {
    T ask(Rows rows) throws SQLException;
  }

  private <T extends @Nullable Object> T read(Query<T> query) {
    synchronized (readLock) {
      try {
        if (reader == null) {
          reader = new Rows(database.connect());
        }
        return query.ask(reader);
      } catch (SQLException e) {
        closeReader();
        LOG.log(System.Logger.Level.ERROR, database.file() + ": cannot be read", e);
        throw new StoreUnavailableException("policies", e);
      }
    }
  }

  private void closeReader() {
    if (reader != null) {
      reader.closeQuietly();
      reader = null;
    }
  }

  private static Stored stored(Row row) {
    Change change = row.change();
    String document = change.document() == null ? "" : change.document();
    return new Stored(change.kind(), change.name(), change.version(), document);
  }

  private static String cut(String by) {
    return by.length() <= BY_CHARS_MAX ? by : by.substring(0, BY_CHARS_MAX);
  }
}
