package io.penstock.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of a replicated log: a frame, or a part of one that is long (R1, R6). Immutable.
 *
 * @param term of the owner that decided what is in it
 * @param number counted from 1 in each term
 * @param stampNanos log time when it was made (R15)
 * @param part which part of its frame, counted from 0
 * @param parts how many parts its frame has
 * @param bytes of the part
 */
record Entry(long term, long number, long stampNanos, int part, int parts, ByteBuffer bytes) {
  /** What follows a format of another number is not understood. */
  static final byte FORMAT = 1;

  private static final int STAMP_AT = 1 + 2 * Long.BYTES;
  private static final int HEAD = STAMP_AT + Long.BYTES + 2 * Integer.BYTES;

  /** An entry is at most so long, its head included: far below what costs a leader its place. */
  static final int BYTES_MAX = 256 << 10;

  private static final int PART_BYTES_MAX = BYTES_MAX - HEAD;

  /** The entries of one frame, numbered from a number on, ready to be appended. */
  static List<ByteBuffer> of(long term, long firstNumber, long stampNanos, ByteBuffer frame) {
    int parts = Math.max(1, (frame.remaining() + PART_BYTES_MAX - 1) / PART_BYTES_MAX);
    List<ByteBuffer> entries = new ArrayList<>(parts);
    for (int part = 0; part < parts; part++) {
      int length = Math.min(PART_BYTES_MAX, frame.remaining());
      ByteBuffer to = ByteBuffer.allocate(HEAD + length).order(ByteOrder.LITTLE_ENDIAN);
      to.put(FORMAT).putLong(term).putLong(firstNumber + part).putLong(stampNanos);
      to.putInt(part).putInt(parts).put(frame.slice().limit(length));
      frame.position(frame.position() + length);
      entries.add(to.flip());
    }
    return entries;
  }

  static Entry read(ByteBuffer from) {
    ByteBuffer head = from.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (head.remaining() < HEAD || head.get() != FORMAT) {
      throw new IllegalStateException(
          "log entry: format "
              + (from.hasRemaining() ? from.get(from.position()) : "none")
              + " (expected: "
              + FORMAT
              + "; a newer version wrote it)");
    }
    return new Entry(
        head.getLong(),
        head.getLong(),
        head.getLong(),
        head.getInt(),
        head.getInt(),
        head.slice().order(ByteOrder.LITTLE_ENDIAN));
  }
}
