package io.penstock.shard;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of one node: frames in a file, written and synced by one thread, and snapshots (R9).
 * Thread-safe; what is not volatile or final is confined to that thread.
 */
final class Journal implements ShardLog, Runnable {
  /*
   * Every 10 ms, and at once when somebody waits, a generation is cut, written as one frame and
   * synced; then all who waited are told. While that goes on, others decide and gather for the next
   * one: that is the group commit. Cutting goes on while the disk is away, because what waits to be
   * written must not grow; what is cut then is lost to the file, so after a failure nothing counts
   * until a fresh snapshot is published (R10).
   */
  private static final System.Logger LOG = System.getLogger(Journal.class.getName());
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long SNAPSHOT_RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long CLOSE_MILLIS_MAX = TimeUnit.SECONDS.toMillis(12);

  private final Folder folder;
  private final Contents contents;
  private final long journalBytesMin;
  private final Frame frame;
  private final Thread thread = new Thread(this, "penstock-journal");
  private final Waiters waiters = new Waiters();
  private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
  private final Freshness freshness;
  private final PlaceCheck place;
  private volatile boolean closing;

  private @Nullable FrameFile file;
  private boolean isBased;
  private long nextNumber;
  private long bytesBefore;
  private long snapshotBytes;
  private long retryAtNanos;
  private long snapshotAtNanos;
  private volatile @Nullable SnapshotWriter snapshot;
  private long frames;
  private long snapshots;
  private long failures;

  private volatile boolean durable;
  private volatile long durableTo = -1;
  private volatile @Nullable String trouble;
  private volatile LogStats stats = LogStats.NONE;

  Journal(Folder folder, Contents contents, long journalBytesMin) {
    this.folder = folder;
    this.contents = contents;
    this.journalBytesMin = journalBytesMin;
    this.frame = new Frame(contents.rules());
    this.freshness = new Freshness(contents.pace());
    this.place = new PlaceCheck(folder);
    thread.setDaemon(true);
  }

  /** Goes on after what was found in the folder. Throws if the folder cannot be written. */
  void start(Recovered found) throws IOException {
    bytesBefore = found.journalBytes();
    snapshotBytes = found.snapshotBytes();
    nextNumber = found.nextNumber();
    open(found.base(), found.lastJournal(), found.lastLength());
    isBased = found.base() != Header.Origin.SNAPSHOT;
    durable = isBased;
    if (!isBased || found.discarded().damage() != null) {
      // A snapshot soon takes the place of damaged files, and they are not read again.
      startSnapshot();
    }
    thread.start();
  }

  private void open(Header.Origin base, long previous, long previousLength) throws IOException {
    long number = nextNumber++;
    int stripes = contents.table().stripeCount();
    Header header =
        new Header(Header.Kind.JOURNAL, number, base, stripes, previous, previousLength);
    file = folder.createJournal(header);
    place.begin(number);
  }

  @Override
  public void whenDurable(long generation, Consumer<Boolean> waiter) {
    if (durable && generation <= durableTo) {
      waiter.accept(true);
      return;
    }
    if (waiters.add(waiter) == 1) {
      LockSupport.unpark(thread);
    }
    if (!thread.isAlive()) {
      Waiters.tell(waiters.take(), false);
    }
  }

  @Override
  public boolean keepsUp(long nowNanos) {
    long atNanos = contents.paceNanos(nowNanos);
    return !freshness.isLate(atNanos) || freshness.isCaughtUp(atNanos);
  }

  @Override
  public void run() {
    while (!closing) {
      if (waiters.isEmpty() && orders.isEmpty()) {
        LockSupport.parkNanos(TICK_NANOS);
      }
      turn();
    }
    turn();
    Waiters.tell(waiters.take(), false);
    close(file);
  }

  private void turn() {
    Waiters.Node waiting = waiters.take();
    try {
      for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
        order.run();
      }
      flush();
      contents.expire(contents.clock().nanos());
      goOn();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      fail(e);
    }
    long bytes = bytesBefore + (file == null ? 0 : file.length());
    stats = new LogStats(frames, frames, bytes, snapshotBytes, snapshots, failures);
    Waiters.tell(waiting, durable);
  }

  private void flush() throws IOException {
    SnapshotWriter writer = snapshot;
    boolean isListed = writer != null && writer.isListed();
    long generation = contents.table().number();
    long begun = contents.pace().nanos();
    boolean isCut = contents.hasChanges();
    if (isCut) {
      contents.cutInto(frame.begin(file == null ? 0 : file.next()));
      if (file != null && !frame.isEmpty()) {
        file.append(frame);
        freshness.advance(begun);
        file.sync();
        frames++;
      }
    }
    if (file != null) {
      place.look(contents.pace().nanos());
      durableTo = isCut ? generation : durableTo;
    }
    freshness.done(begun);
    if (isListed && writer != null) {
      writer.mayPublish(file != null);
    }
  }

  /** Opens a new file when that is due, or begins a snapshot when the journal is long. */
  private void goOn() throws IOException {
    long now = contents.pace().nanos();
    if (file == null) {
      if (now >= retryAtNanos && snapshot == null) {
        open(Header.Origin.SNAPSHOT, /* previous= */ 0, /* previousLength= */ 0);
        startSnapshot();
      }
    } else if (snapshot == null && now >= snapshotAtNanos) {
      if (!isBased) {
        startSnapshot();
      } else if (bytesBefore + file.length() > Math.max(journalBytesMin, 2 * snapshotBytes)) {
        FrameFile before = file;
        bytesBefore += before.length();
        open(Header.Origin.PREVIOUS, before.number(), before.length());
        close(before);
        startSnapshot();
      }
    }
  }

  private void startSnapshot() {
    if (file != null) {
      SnapshotWriter writer = new SnapshotWriter(folder, contents, file.number(), this);
      snapshot = writer;
      writer.start();
    }
  }

  /** Has something done on the thread of the journal. */
  void order(Runnable order) {
    orders.add(order);
    LockSupport.unpark(thread);
  }

  /** The snapshot of a number counts from now on, and what was before it may be gone. */
  void published(long number, long bytes) {
    snapshot = null;
    snapshots++;
    snapshotBytes = bytes;
    if (file != null && file.number() == number) {
      bytesBefore = 0;
      if (!durable) {
        LOG.log(INFO, "{0}: durable again by snapshot {1}", folder.path(), number);
      }
      isBased = true;
      durable = true;
      trouble = null;
    }
  }

  void snapshotFailed(Throwable cause) {
    snapshot = null;
    long pause = isBased ? SNAPSHOT_RETRY_NANOS : RETRY_NANOS;
    snapshotAtNanos = contents.pace().nanos() + pause;
    if (!closing) {
      say(cause);
    }
  }

  /* After a failed write or sync nobody knows what the file holds: it is never written again. */
  private void fail(Throwable cause) {
    close(file);
    if (file != null && !isBased) {
      folder.deleteJournal(file.number());
    }
    file = null;
    isBased = false;
    durable = false;
    failures++;
    freshness.advance(contents.pace().nanos());
    retryAtNanos = contents.pace().nanos() + RETRY_NANOS;
    say(cause);
  }

  private void say(Throwable cause) {
    String text = DiskTrouble.of(cause);
    if (!text.equals(trouble)) {
      String more = durable ? "" : "; decisions go on in memory";
      String where = folder.path() + ": ";
      LOG.log(WARNING, where + text + more, cause instanceof IOException ? null : cause);
    }
    trouble = text;
  }

  private static void close(@Nullable FrameFile file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      LOG.log(WARNING, "a journal could not be closed", e);
    }
  }

  boolean isClosing() {
    return closing;
  }

  @Override
  public boolean isDurable() {
    return durable;
  }

  @Override
  public @Nullable String trouble() {
    String slow = freshness.isBehind() ? folder.path() + ": not written in time" : null;
    return trouble == null ? slow : trouble;
  }

  @Override
  public LogStats stats() {
    return stats;
  }

  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    try {
      thread.join(CLOSE_MILLIS_MAX);
      SnapshotWriter writer = snapshot;
      if (writer != null) {
        writer.stop(CLOSE_MILLIS_MAX);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
