package io.penstock.shard;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is to be remembered until a time, by its id: reservations, leases, blocks, overrides.
 * Thread-safe. A full memory is an exception: no note that has not ended is ever forgotten.
 *
 * <p>What a decision writes here belongs to the decision's generation, so that both are durable or
 * neither is (R9). Hold the {@link #lock} from reading a note to writing it.
 */
public final class Notes {
  /** A note may have so many bytes at most. */
  public static final int NOTE_BYTES_MAX = 64 << 10;

  private static final int PARTS = 16;

  /** What a note takes beside its bytes, about: the id, two nodes, the array's head. */
  private static final int OVERHEAD = 160;

  private final NotePart[] parts = new NotePart[PARTS];
  private final long countMax;
  private final long bytesMax;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean changed;

  Notes(long countMax, long bytesMax, boolean isLogged) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
    Arrays.setAll(parts, i -> new NotePart(this, isLogged));
  }

  private NotePart part(NoteId id) {
    return parts[(int) (id.high() ^ id.low()) & (PARTS - 1)];
  }

  /** Keeps others from this note, and from some more, until {@link #unlock}. May be nested. */
  public void lock(NoteId id) {
    part(id).lock.lock();
  }

  public void unlock(NoteId id) {
    part(id).lock.unlock();
  }

  /** Writes a note, in place of one with the same id, in the generation of a decision. */
  public void put(long generation, NoteId id, long endNanos, byte[] text) {
    if (text.length > NOTE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "text: " + text.length + " bytes (expected: at most " + NOTE_BYTES_MAX + ")");
    }
    changed = true;
    part(id).put(generation, id, endNanos, text);
  }

  /** The text of a note that has not ended, or null. */
  public byte @Nullable [] get(NoteId id, long nowNanos) {
    return part(id).get(id, nowNanos);
  }

  /** Forgets a note in the generation of a decision; false if there is none. */
  public boolean remove(long generation, NoteId id) {
    changed = true;
    return part(id).remove(generation, id);
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

  void makeRoom(int textBytes) {
    long more = (long) OVERHEAD + textBytes;
    long all = bytes.addAndGet(more);
    if (count.incrementAndGet() > countMax || all > bytesMax) {
      dropRoom(textBytes);
      throw new NotesFullException(count.get(), bytes.get());
    }
  }

  void dropRoom(int textBytes) {
    count.decrementAndGet();
    bytes.addAndGet(-OVERHEAD - textBytes);
  }

  /** How many notes there are. */
  public long size() {
    return count.get();
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

  void list(Chunks chunks) {
    for (NotePart part : parts) {
      part.list(chunks);
    }
  }
}
