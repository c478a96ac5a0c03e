package io.penstock.server.policy;

import io.penstock.server.Bounds;
import java.io.IOException;
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
 * <p>On a single server writes go to the disk. A {@link #replica} proposes them to a log instead,
 * and writes what the log says, entry by entry: so all replicas hold the same (R16).
 *
 * <p>While the disk is full or away, writes throw {@link StoreUnavailableException} and reads go
 * on; writes work again by themselves when the disk does.
 */
public final class PolicyStore implements AutoCloseable {
  private static final long PROBE_MILLIS = 500;
  private static final int PAST_MAX = 100_000;
  private static final System.Logger LOG = System.getLogger(PolicyStore.class.getName());

  private final Database database;
  private final StoreWriter writer;
  private final InstantSource clock;
  private final @Nullable Replica replica;
  private final StoreReader reader;
  private final Documents documents;
  private final List<String> losses = new CopyOnWriteArrayList<>();
  private volatile Runnable beforeReads = () -> {};
  private volatile int keyBytesMax = Bounds.defaults().keyLength();

  private PolicyStore(Database database, InstantSource clock, @Nullable Proposer proposer)
      throws SQLException {
    String loss = Repair.ifNeeded(database, clock, /* replica= */ proposer != null);
    this.database = database;
    this.clock = clock;
    this.writer = StoreWriter.open(database, clock, /* alone= */ proposer == null);
    this.reader = new StoreReader(database);
    this.documents = new Documents(reader);
    this.replica = proposer == null ? null : new Replica(writer, proposer);
    addLoss(loss);
  }

  /**
   * Opens the store in a file, or makes it. What is damaged is moved aside, and what is whole of it
   * is kept.
   */
  public static PolicyStore open(Path file, InstantSource clock) {
    return opened(file, clock, /* proposer= */ null);
  }

  /**
   * Opens the store of one node of a cluster. What is damaged is moved aside, and it begins empty:
   * {@link #appliedIndex} says what it needs to be told again.
   */
  public static PolicyStore replica(Path file, InstantSource clock, Proposer proposer) {
    PolicyStore store = opened(file, clock, proposer);
    if (store.appliedIndex() == 0 && store.revision() > 0) {
      store.close();
      throw new IllegalStateException(
          file
              + ": policies of a single server (expected: an empty folder for a node of a cluster;"
              + " policies come with penstock policy apply)");
    }
    return store;
  }

  private static PolicyStore opened(Path file, InstantSource clock, @Nullable Proposer proposer) {
    try {
      return new PolicyStore(new Database(file), clock, proposer);
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

  /** Has something done before anybody reads: in a cluster, to know what others have written. */
  public void beforeReads(Runnable catchUp) {
    beforeReads = catchUp;
  }

  /** How long the domain and the keys of checks may be: no policy is put for longer ones. */
  public void boundKeys(int bytesMax) {
    keyBytesMax = bytesMax;
  }

  /** The document in force, or null. */
  public @Nullable Stored get(Kind kind, String name) {
    beforeReads.run();
    return documents.get(kind, name);
  }

  /**
   * Documents in force by name.
   *
   * @param after only those behind this name; null for the first ones
   * @param limit at most so many, and never more than a thousand, or than a page holds
   */
  public Page<Stored> list(Kind kind, @Nullable String after, int limit) {
    return list(kind, after, limit, Page.BYTES_MAX);
  }

  /** The same with a bound of its own for their bytes. */
  public Page<Stored> list(Kind kind, @Nullable String after, int limit, int bytesMax) {
    beforeReads.run();
    return documents.list(kind, after, limit, bytesMax);
  }

  /** Changes of a document before a version, newest first; none if it never existed. */
  public Page<Change> history(Kind kind, String name, long before, int limit) {
    beforeReads.run();
    return documents.history(kind, name, before, limit);
  }

  /** Puts a document in force. */
  public Written put(Kind kind, String name, String json, Expected expected, String by) {
    check(kind, name, json);
    return write(Write.put(kind, name, json, expected, by));
  }

  /** Throws everything that is wrong with a document by itself, as {@link #put} does. */
  public void check(Kind kind, String name, String json) {
    DocumentName.check(kind, name, json, keyBytesMax, tier -> get(Kind.TIER, tier));
  }

  /** Takes a document out of force; its history stays. */
  public Written delete(Kind kind, String name, Expected expected, String by) {
    if (DocumentName.problem(kind, name) != null) {
      throw new VersionConflictException(name + ": not there (expected: a document to delete)");
    }
    return write(Write.delete(kind, name, expected, by));
  }

  private Written write(Write write) {
    return replica == null
        ? writer.write(write)
        : replica.propose(new LogEntry.Document(write, clock.instant()));
  }

  /**
   * Carries out an entry of the log and says what became of it, on every replica the same. Called
   * by one thread, in the order of the log. An entry that was carried out before does nothing, and
   * the answer is empty. When this throws, the entry is not carried out, and the node must not go
   * on to the next.
   */
  public byte[] apply(long index, byte[] write) {
    return asReplica().apply(index, write);
  }

  /** The last entry of the log that is carried out; 0 if none is. */
  public long appliedIndex() {
    return reader.ask(Rows::applied);
  }

  /** Writes a copy of everything into a file; says the last entry of the log that it holds. */
  public long save(Path file) {
    try {
      return StoreCopy.save(database, file);
    } catch (SQLException | IOException e) {
      throw new StoreUnavailableException(file, e);
    }
  }

  /**
   * Takes over a copy that a replica has saved, all or nothing, and tells everybody what it
   * changes. One that holds no more than is here changes nothing; says whether it did.
   */
  public boolean load(Path file) {
    try (StoreCopy copy = StoreCopy.open(file, database)) {
      return asReplica().load(copy);
    } catch (SQLException | IOException e) {
      throw new StoreUnavailableException(file, e);
    }
  }

  /** Proposes the secret of the cluster; if there is one already, it stays. */
  public void proposeSecret(byte[] secret) {
    asReplica().propose(LogEntry.Secret.of(secret));
  }

  /** The secret that the cluster has agreed on; null if it has not. */
  public byte @Nullable [] secret() {
    return reader.<byte @Nullable []>ask(Rows::secret);
  }

  /** The moves of shards, if this is the store of one node of a cluster. */
  public Moves moves() {
    return new Moves(asReplica(), reader);
  }

  private Replica asReplica() {
    if (replica == null) {
      throw new IllegalStateException("store: of a single server (expected: a replica)");
    }
    return replica;
  }

  /** From now on documents that came from a file are changed only by it. */
  void reserveForFile(Path file) {
    if (replica != null) {
      throw new IllegalArgumentException(
          "policies: %1$s (expected: none in a cluster; use penstock policy apply -f %1$s)"
              .formatted(file));
    }
    writer.reserveForFile();
  }

  /** Makes the documents of the file be these, all or none; says what was written. */
  List<Write> load(FileText text) {
    return writer.load(text);
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

  /** Reads what policies were before their last change: as many as are remembered at a start. */
  public void forEachPast(Consumer<Change> told) {
    long unused = reader.ask(rows -> rows.forEachPast(PAST_MAX, told));
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
    return reader.ask(Rows::revision);
  }

  /** What damage to the file has cost since it was opened, without paths; null if nothing. */
  public @Nullable String loss() {
    return losses.isEmpty() ? null : String.join("; ", losses);
  }

  /** Why the last write failed, for whoever watches; null if it did not. */
  public @Nullable String trouble() {
    String own = replica == null ? null : replica.trouble();
    return own == null ? writer.trouble() : own;
  }

  @Override
  public void close() {
    writer.close();
    reader.close();
  }
}
