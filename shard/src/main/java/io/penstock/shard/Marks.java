package io.penstock.shard;

import io.penstock.core.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was settled of late, by the id of its note, which is gone then. Thread-safe.
 *
 * <p>Whoever asks again is told the same for ten minutes. Marks have room of their own: the oldest
 * go first when there is none, and are counted, and no note ever has to wait for them.
 */
public final class Marks {
  /** A mark holds a number below this. */
  public static final int VALUES = 128;

  /*
   * A mark is written as a request id is. No answer is a single byte with this bit, so that whoever
   * reads it can tell; one who cannot, because it is of an earlier version, keeps it among its ids.
   */
  private static final int BIT = 0x80;

  private static final int BYTES = 32;
  private static final long AGE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final IdWindow window;
  private final long countMax;

  Marks(long countMax, Clock clock, @Nullable LongSupplier generation) {
    this.countMax = countMax;
    this.window = new IdWindow(countMax, BYTES * countMax, AGE_NANOS, clock, generation);
  }

  static boolean isMark(byte[] answer) {
    return answer.length == 1 && (answer[0] & BIT) != 0;
  }

  IdWindow window() {
    return window;
  }

  /** Marks an id. */
  public void put(long hash, long check, int value, long nowNanos) {
    if (value < 0 || value >= VALUES) {
      throw new IllegalArgumentException(
          "value: " + value + " (expected: 0.." + (VALUES - 1) + ")");
    }
    window.put(hash, check, new byte[] {(byte) (BIT | value)}, nowNanos);
  }

  /** The mark of an id, or -1. */
  public int get(long hash, long check) {
    byte[] mark = window.get(hash, check);
    return mark == null ? -1 : mark[0] & (VALUES - 1);
  }

  public long size() {
    return window.size();
  }

  /** How many there may be. */
  public long sizeMax() {
    return countMax;
  }

  /** How many were forgotten before their time because there was no room. */
  public long dropped() {
    return window.dropped();
  }

  /** How long something is marked at present: less than it should be if there is no room. */
  public long windowNanos(long nowNanos) {
    return window.windowNanos(nowNanos);
  }
}
