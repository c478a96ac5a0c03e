package io.penstock.shard;

import io.penstock.core.Clock;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is to be remembered until a time, by its id of 128 bits: reservations, leases, blocks,
 * overrides. Thread-safe. No note is forgotten before its end: a full memory is an exception.
 *
 * <p>Written between {@link Shard#enter} and {@link Shard#leave}, a note is durable together with
 * the decision it belongs to (R9).
 */
public final class Notes {
  /** A note may have so many bytes at most. */
  public static final int NOTE_BYTES_MAX = 64 << 10;

  private static final int PARTS = 16;

  /** What a note takes beside its bytes, about: the id, two nodes, the array's head. */
  private static final int OVERHEAD = 160;

  /** Of so many parts of the room, one is for orders. */
  private static final int ORDERS_SHARE = 16;

  /** Takes one note. */
  public interface Sink {
    void accept(long hash, long check, byte[] bytes);
  }

  private final NotePart[] parts = new NotePart[PARTS];
  private final long countMax;
  private final long bytesMax;
  private final Clock clock;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean changed;

  Notes(long countMax, long bytesMax, Clock clock, @Nullable LongSupplier generation) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
    this.clock = clock;
    Arrays.setAll(parts, i -> new NotePart(this, generation));
  }

  private NotePart part(NoteId id) {
    return parts[(int) (id.high() ^ id.low()) & (PARTS - 1)];
  }

  /**
   * Writes a note, in place of one with the same id. Throws {@link NotesFullException} if there is
   * no room.
   */
  public void put(long hash, long check, byte[] text, long untilNanos) {
    write(new NoteId(hash, check), text, untilNanos, /* isBound= */ true);
  }

  /** The same whether there is room or not: for the few without which a log would not be true. */
  public void putAlways(long hash, long check, byte[] text, long untilNanos) {
    write(new NoteId(hash, check), text, untilNanos, /* isBound= */ false);
  }

  private void write(NoteId id, byte[] text, long untilNanos, boolean isBound) {
    if (text.length > NOTE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "text: " + text.length + " bytes (expected: at most " + NOTE_BYTES_MAX + ")");
    }
    part(id).put(id, untilNanos, text, isBound);
    changed = true;
  }

  /** The text of a note that has not ended, or null. */
  public byte @Nullable [] get(long hash, long check) {
    NoteId id = new NoteId(hash, check);
    return part(id).get(id, clock.nanos());
  }

  /** Forgets a note, if there is one. */
  public void remove(long hash, long check) {
    NoteId id = new NoteId(hash, check);
    part(id).remove(id);
    changed = true;
  }

  /** Hands over every note, in no particular order. */
  public void forEach(Sink sink) {
    for (NotePart part : parts) {
      part.forEach(sink);
    }
  }

  void restore(NoteId id, long endNanos, byte[] text) {
    part(id).restore(id, endNanos, text);
  }

  void restoreGone(NoteId id) {
    part(id).restoreGone(id);
  }

  /** Forgets some notes that have ended. */
  void expire(long nowNanos) {
    for (NotePart part : parts) {
      part.expire(nowNanos);
    }
  }

  /** Takes room for so many notes more and so many bytes more, or throws that there is none. */
  void takeRoom(int notesMore, int textBytesMore) {
    countRoom(notesMore, textBytesMore);
    boolean tooMany = count.get() > countMax && notesMore > 0;
    boolean tooMuch = bytes.get() > bytesMax && bytesMore(notesMore, textBytesMore) > 0;
    if (tooMany || tooMuch) {
      countRoom(-notesMore, -textBytesMore);
      throw new NotesFullException(count.get(), bytes.get());
    }
  }

  /** Counts so many notes more and so many bytes more, whatever the bound; or fewer. */
  void countRoom(int notesMore, int textBytesMore) {
    count.addAndGet(notesMore);
    bytes.addAndGet(bytesMore(notesMore, textBytesMore));
  }

  private static long bytesMore(int notesMore, int textBytesMore) {
    return (long) OVERHEAD * notesMore + textBytesMore;
  }

  /** Whether there is little room left, which is for orders: blocks and overrides. */
  public boolean isCrowded() {
    if (isNearlyFull()) {
      /* The log does this too, but not while its disk is away. */
      expire(clock.nanos());
    }
    return isNearlyFull();
  }

  private boolean isNearlyFull() {
    return count.get() > countMax - countMax / ORDERS_SHARE
        || bytes.get() > bytesMax - bytesMax / ORDERS_SHARE;
  }

  /** How many notes there are. */
  public long size() {
    return count.get();
  }

  /** How many there may be. */
  public long sizeMax() {
    return countMax;
  }

  /** What they take, about. */
  public long bytes() {
    return bytes.get();
  }

  /** What they may take. */
  public long bytesMax() {
    return bytesMax;
  }

  boolean hasChanges() {
    return changed;
  }

  /** Say this before a cut, so that what comes after it is not overlooked. */
  void cutFollows() {
    changed = false;
  }

  void drain(long generation, Frame frame) {
    for (NotePart part : parts) {
      part.drain(generation, frame);
    }
  }

  /** Lists some of them. */
  void list(Chunks chunks, Predicate<NoteId> chosen) {
    for (NotePart part : parts) {
      part.list(chunks, chosen);
    }
  }
}
