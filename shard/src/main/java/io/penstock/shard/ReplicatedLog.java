package io.penstock.shard;

import io.penstock.core.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of an owner during one term: entries that a quorum accepts. Thread-safe; what is not
 * guarded by this, volatile or final is confined to its own thread.
 */
final class ReplicatedLog implements ShardLog, Runnable {
  /*
   * As the journal, it cuts a generation when somebody waits and every few milliseconds, and tells
   * those who waited when it counts. It counts when our own replica has applied it as an entry of
   * this very term and number (R1, R2), not when somebody says that it was appended. An entry that
   * holds nothing is sent if somebody waits: a denial must not leave before it is known that no
   * other owner has decided meanwhile (R5). While a generation is on the way, what is decided
   * gathers for the next: an entry costs the same for one decision as for a thousand. If that takes
   * long, a second one follows; never a third. Whoever is answered is likely to ask again at once:
   * the next entry waits for as many as that, up to half of what the last one took.
   *
   * Whatever goes wrong ends the term, and nothing else does: those who wait are told false, and
   * that what they were about to be told may or may not be remembered (R4).
   */
  private static final System.Logger LOG = System.getLogger(ReplicatedLog.class.getName());
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
  private static final int ON_THE_WAY_MAX = 2;
  private static final long GATHER_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(4);

  /** How long after an accepted entry was sent an answer may leave before its own is (R14). */
  static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

  /** A generation that was sent, its last entry, and who waits for it. */
  private record Sent(
      long lastNumber, long generation, long atNanos, Waiters.@Nullable Node waiting) {}

  private final Contents contents;
  private final long term;
  private final Appender appender;
  private final Runnable ended;
  private final Frame frame;
  private final Waiters waiters = new Waiters();
  private final Thread thread = new Thread(this, "penstock-replicated-log");
  private final Queue<Sent> onTheWay = new ArrayDeque<>();
  private long nextNumber = 1;
  private volatile boolean closing;
  private volatile boolean over;
  private volatile long durableTo = -1;
  private volatile long freshNanos;
  private volatile boolean fresh;

  /** How many the next entry waits for, and until when. */
  private volatile int expected;

  private volatile long gatherUntil;
  private long frames;
  private long bytes;
  private volatile LogStats stats = LogStats.NONE;

  ReplicatedLog(Contents contents, long term, Appender appender, Runnable ended) {
    this.contents = contents;
    this.term = term;
    this.appender = appender;
    this.ended = ended;
    this.frame = new Frame(contents.rules());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private Clock pace() {
    return contents.pace();
  }

  @Override
  public void whenDurable(long generation, Consumer<Boolean> waiter) {
    if (!over && generation <= durableTo) {
      waiter.accept(true);
      return;
    }
    int count = waiters.add(waiter);
    if (count == 1 || count == expected) {
      LockSupport.unpark(thread);
    }
    if (over) {
      Waiters.tell(waiters.take(), false);
    }
  }

  /** Only while a quorum has lately accepted what was sent in this term (R14). */
  @Override
  public boolean keepsUp(long nowNanos) {
    return fresh && !over && pace().nanos() - freshNanos < FRESH_NANOS;
  }

  @Override
  public void run() {
    try {
      while (!over && !(closing && isQuiet())) {
        if (waiters.isEmpty() || isFull()) {
          LockSupport.parkNanos(isAtRest() ? REST_NANOS : TICK_NANOS);
        } else if (isGathering()) {
          LockSupport.parkNanos(gatherUntil - pace().nanos());
        }
        step();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "term {0} ends: {1}", term, e.getMessage());
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.log(System.Logger.Level.ERROR, "term " + term + " ends", e);
    } finally {
      end();
    }
  }

  /** Sends what there is to send, if not too much is on the way. */
  void step() throws IOException {
    checkAnswers();
    if (!isFull() && !isGathering()) {
      send();
    }
  }

  /** Whether some of those who were answered just now, or waited then, may still come. */
  private boolean isGathering() {
    return waiters.count() < expected && pace().nanos() < gatherUntil;
  }

  private boolean isQuiet() {
    return waiters.isEmpty() && !contents.hasChanges() && isNothingOnTheWay();
  }

  private synchronized boolean isNothingOnTheWay() {
    return onTheWay.isEmpty();
  }

  /**
   * Whether nothing was sent for so long that no answer leaves before its own entry is accepted:
   * whoever decides something then waits for that, and wakes this.
   */
  private boolean isAtRest() {
    return isNothingOnTheWay() && pace().nanos() - freshNanos > FRESH_NANOS + TICK_NANOS;
  }

  private synchronized boolean isFull() {
    Sent first = onTheWay.peek();
    return onTheWay.size() >= ON_THE_WAY_MAX
        || (first != null && pace().nanos() - first.atNanos < TICK_NANOS);
  }

  /** An entry without an answer is neither sent again nor given up: the term is (R7). */
  private void checkAnswers() throws IOException {
    Sent oldest;
    synchronized (this) {
      oldest = onTheWay.peek();
    }
    if (oldest != null && pace().nanos() - oldest.atNanos > ANSWER_NANOS_MAX) {
      throw new IOException("entry " + oldest.lastNumber + ": not accepted within a second");
    }
  }

  private void send() throws IOException {
    Waiters.Node waiting = waiters.take();
    if (waiting == null && !contents.hasChanges()) {
      return;
    }
    List<ByteBuffer> entries = null;
    try {
      entries = cutFor(waiting);
    } finally {
      if (entries == null) {
        Waiters.tell(waiting, false);
      }
    }
    if (entries == null) {
      return;
    }
    for (ByteBuffer entry : entries) {
      bytes += entry.remaining();
      appender.append(entry).whenComplete((reply, failure) -> appended(failure));
    }
    frames++;
    stats = new LogStats(frames, frames, bytes, 0, 0, 0);
    contents.expire(contents.clock().nanos());
  }

  /** The entries of a generation, of which those who wait are told; null if nobody will tell. */
  private @Nullable List<ByteBuffer> cutFor(Waiters.@Nullable Node waiting) throws IOException {
    long generation = contents.table().number();
    long now = pace().nanos();
    long stamp = contents.cutInto(frame.begin(nextNumber));
    if (frame.overflowed()) {
      throw new IOException("frame: more than " + Frame.BYTES_MAX + " bytes at once");
    }
    List<ByteBuffer> entries = Entry.of(term, nextNumber, stamp, frame.finish());
    nextNumber += entries.size();
    return isOnTheWay(new Sent(nextNumber - 1, generation, now, waiting)) ? entries : null;
  }

  /** False if the term has ended meanwhile: whoever ends it tells only those it finds (R4). */
  private synchronized boolean isOnTheWay(Sent next) {
    return !over && onTheWay.add(next);
  }

  private void appended(@Nullable Throwable failure) {
    if (failure != null && !over) {
      LOG.log(System.Logger.Level.DEBUG, "term {0} ends: {1}", term, failure.getMessage());
      end();
    }
  }

  /** Our replica has applied an entry, and it counts. */
  void accepted(long entryTerm, long number) {
    Sent sent;
    synchronized (this) {
      sent = onTheWay.peek();
      if (over || entryTerm != term || sent == null || sent.lastNumber != number) {
        return;
      }
      onTheWay.remove();
      durableTo = sent.generation;
      freshNanos = sent.atNanos;
      fresh = true;
      expected = Waiters.count(sent.waiting) + waiters.count();
      long now = pace().nanos();
      gatherUntil = now + Math.min((now - sent.atNanos) / 2, GATHER_NANOS_MAX);
    }
    LockSupport.unpark(thread);
    Waiters.tell(sent.waiting, true);
  }

  /** The term is over, or is given up: nothing counts any more that has not been accepted. */
  void end() {
    List<Sent> lost;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      lost = new ArrayList<>(onTheWay);
      onTheWay.clear();
    }
    LockSupport.unpark(thread);
    for (Sent sent : lost) {
      Waiters.tell(sent.waiting, false);
    }
    Waiters.tell(waiters.take(), false);
    ended.run();
  }

  @Override
  public boolean isDurable() {
    return !over;
  }

  @Override
  public boolean isReplicated() {
    return true;
  }

  @Override
  public @Nullable String trouble() {
    return over ? "term " + term + " is over" : null;
  }

  @Override
  public LogStats stats() {
    return stats;
  }

  /** Sends what is left and waits until it counts, for a while; then the term ends. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    try {
      thread.join(TimeUnit.NANOSECONDS.toMillis(2 * ANSWER_NANOS_MAX));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end();
  }
}
