package io.penstock.shard;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The answers to checks that consumed, by request id, for ten minutes (R22). Thread-safe.
 *
 * <p>An id is 64 bits by which it is looked for and 64 more by which it is told from others. The
 * oldest go first when there is no room, and are counted. Hold the {@link #lock} from looking for
 * an id to remembering its answer, so that many at once are decided once.
 */
public final class IdWindow {
  /** How long an answer is remembered. */
  public static final long AGE_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);

  /** An answer may have so many bytes at most. */
  public static final int ANSWER_BYTES_MAX = 16 << 10;

  private static final int PART_BITS = 6;

  private final IdPart[] parts = new IdPart[1 << PART_BITS];
  private volatile boolean changed;

  IdWindow(long idsMax, long bytesMax, boolean isLogged) {
    int ids = (int) Math.max(1, idsMax >> PART_BITS);
    long bytes = bytesMax >> PART_BITS;
    Arrays.setAll(parts, i -> new IdPart(ids, bytes, isLogged));
  }

  private IdPart part(long hash) {
    return parts[(int) (hash >>> (Long.SIZE - PART_BITS))];
  }

  /** Keeps others from this id, and from some more, until {@link #unlock}. May be nested. */
  public void lock(long hash) {
    part(hash).lock.lock();
  }

  public void unlock(long hash) {
    part(hash).lock.unlock();
  }

  /** The answer remembered for an id, or null. */
  public byte @Nullable [] get(long hash, long check, long nowNanos) {
    return part(hash).get(hash, check, nowNanos - AGE_NANOS_MAX);
  }

  /** Remembers an answer in the generation of the decision that gave it. */
  public void put(long generation, long hash, long check, long nowNanos, byte[] answer) {
    if (answer.length > ANSWER_BYTES_MAX) {
      throw new IllegalArgumentException(
          "answer: " + answer.length + " bytes (expected: at most " + ANSWER_BYTES_MAX + ")");
    }
    if (!changed) {
      changed = true;
    }
    part(hash).put(generation, hash, check, nowNanos, answer);
  }

  void restore(long hash, long check, long nanos, byte[] answer) {
    part(hash).restore(hash, check, nanos, answer);
  }

  /** Forgets some ids that are too old. */
  void expire(long nowNanos) {
    for (IdPart part : parts) {
      part.expire(nowNanos - AGE_NANOS_MAX);
    }
  }

  /** How many ids are remembered. */
  public long size() {
    return Arrays.stream(parts).mapToLong(IdPart::size).sum();
  }

  /** How many ids were forgotten before their time because there was no room. */
  public long dropped() {
    return Arrays.stream(parts).mapToLong(IdPart::dropped).sum();
  }

  /** How long an id is remembered at present: less than ten minutes if there is no room. */
  public long windowNanos(long nowNanos) {
    long window = AGE_NANOS_MAX;
    for (IdPart part : parts) {
      window = Math.min(window, part.windowNanos(nowNanos, AGE_NANOS_MAX));
    }
    return window;
  }

  boolean hasChanges() {
    return changed;
  }

  /** Say this before a cut, so that what comes after it is not overlooked. */
  void cutFollows() {
    changed = false;
  }

  void drain(long generation, Frame frame) {
    for (IdPart part : parts) {
      part.drain(generation, frame);
    }
  }

  void list(Chunks chunks) {
    for (IdPart part : parts) {
      long at = 0;
      while (at >= 0) {
        at = part.list(at, chunks.frame());
        chunks.mayEnd();
      }
    }
  }
}
