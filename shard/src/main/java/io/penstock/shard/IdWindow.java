package io.penstock.shard;

import io.penstock.core.Clock;
import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The answers to checks that consumed, by request id, for some time (R22). Thread-safe.
 *
 * <p>An id is 64 bits by which it is looked for and 64 more by which it is told from others. The
 * oldest go first when there is no room, and are counted. Written between {@link Shard#enter} and
 * {@link Shard#leave}, an id is durable together with its decision.
 */
public final class IdWindow {
  /** An answer may have so many bytes at most: it lies in one chunk of the ring. */
  public static final int ANSWER_BYTES_MAX = 60 << 10;

  private static final int PART_BITS = 6;
  private static final int PART_SHIFT = 40;
  private static final byte[] NO_ANSWER = {};

  private final IdPart[] parts = new IdPart[1 << PART_BITS];
  private final Clock clock;
  private final long ageNanosMax;
  private volatile boolean changed;

  IdWindow(
      long idsMax,
      long bytesMax,
      long ageNanosMax,
      Clock clock,
      @Nullable LongSupplier generation) {
    this.clock = clock;
    this.ageNanosMax = ageNanosMax;
    int ids = (int) Math.max(1, idsMax >> PART_BITS);
    long bytes = bytesMax >> PART_BITS;
    Arrays.setAll(parts, i -> new IdPart(ids, bytes, generation));
  }

  /** How long an answer is remembered if there is room. */
  public long ageNanosMax() {
    return ageNanosMax;
  }

  /* The top bits tell the shard of a key, and are the same in all of its ids. */
  private IdPart part(long hash) {
    return parts[(int) (hash >>> PART_SHIFT) & (parts.length - 1)];
  }

  /** The answer remembered for an id, or null. */
  public byte @Nullable [] get(long hash, long check) {
    byte[] answer = part(hash).get(hash, check, clock.nanos() - ageNanosMax);
    return answer == null || answer.length == 0 ? null : answer;
  }

  /** Forgets an answer: remembers that there is none any more, so that replicas forget it too. */
  public void forget(long hash, long check, long nowNanos) {
    remember(hash, check, NO_ANSWER, nowNanos);
  }

  /** Remembers an answer. */
  public void put(long hash, long check, byte[] answer, long nowNanos) {
    if (answer.length == 0 || answer.length > ANSWER_BYTES_MAX) {
      throw new IllegalArgumentException(
          "answer: " + answer.length + " bytes (expected: 1.." + ANSWER_BYTES_MAX + ")");
    }
    remember(hash, check, answer, nowNanos);
  }

  /** Remembers what another shard did, as long as it would have; it may be that there is none. */
  void take(long hash, long check, long nanos, byte[] answer) {
    remember(hash, check, answer, nanos);
  }

  private void remember(long hash, long check, byte[] answer, long nowNanos) {
    part(hash).put(hash, check, nowNanos, answer, nowNanos - ageNanosMax);
    if (!changed) {
      changed = true;
    }
  }

  void restore(long hash, long check, long nanos, byte[] answer) {
    part(hash).restore(hash, check, nanos, answer);
  }

  /** Forgets some ids that are too old. */
  void expire(long nowNanos) {
    for (IdPart part : parts) {
      part.expire(nowNanos - ageNanosMax);
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

  /** How long an id is remembered at present: less than it should be if there is no room. */
  public long windowNanos(long nowNanos) {
    long window = ageNanosMax;
    for (IdPart part : parts) {
      window = Math.min(window, part.windowNanos(nowNanos, ageNanosMax));
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

  /** Lists the ids of some hashes. */
  void list(Chunks chunks, LongPredicate hashes) {
    for (IdPart part : parts) {
      long at = 0;
      while (at >= 0) {
        at = part.list(at, chunks.frame(), hashes);
        chunks.mayEnd();
      }
    }
  }
}
