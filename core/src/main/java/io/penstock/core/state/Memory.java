package io.penstock.core.state;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Flat memory outside the heap: aligned to cache lines, never moved or scanned by the collector.
 */
final class Memory {
  static final int LINE_BYTES = 64;
  static final int LINE_WORDS = LINE_BYTES / Long.BYTES;

  private Memory() {}

  /** Zeroed words that start on a cache line. */
  static LongBuffer words(int words) {
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes(words)))
        .alignedSlice(LINE_BYTES)
        .order(ByteOrder.nativeOrder())
        .asLongBuffer();
  }

  /** What {@link #words} takes: whole lines, and one to start on a line wherever it lies. */
  static long bytes(long words) {
    long lines = (words + LINE_WORDS - 1) / LINE_WORDS + 1;
    return lines * LINE_BYTES;
  }
}
