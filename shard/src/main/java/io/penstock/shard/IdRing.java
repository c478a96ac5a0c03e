package io.penstock.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Records of request ids one after the other in flat memory, oldest first. Confined to whoever
 * holds the part it belongs to.
 */
final class IdRing {
  /*
   * Chunks of 64 KB, taken when first needed. A record is hash, check, time, length and answer, in
   * multiples of 8 bytes, and lies in one chunk; what is left of a chunk is skipped. Positions only
   * grow; where a record lies is its position modulo the size of the ring, in words of 8 bytes.
   */
  private static final int CHUNK = 1 << 16;
  private static final int CHUNKS_MIN = 2;
  private static final int WORD = Long.BYTES;
  private static final int CHECK = WORD;
  private static final int NANOS = 2 * WORD;
  private static final int LENGTH = 3 * WORD;
  private static final int HEAD = LENGTH + Integer.BYTES;
  private static final int SKIP = -1;

  private final @Nullable ByteBuffer[] chunks;
  private final long capacity;
  private long head;
  private long tail;

  IdRing(long bytesMax) {
    long wanted = Math.min(Integer.MAX_VALUE / CHUNK, bytesMax / CHUNK);
    this.chunks = new ByteBuffer[(int) Math.max(CHUNKS_MIN, wanted)];
    this.capacity = (long) chunks.length * CHUNK;
  }

  private static int size(int answerBytes) {
    return (HEAD + answerBytes + WORD - 1) / WORD * WORD;
  }

  private static int leftInChunk(long position) {
    return CHUNK - (int) (position % CHUNK);
  }

  private long fit(int size) {
    int left = leftInChunk(tail);
    return size <= left ? tail : tail + left;
  }

  boolean hasRoom(int answerBytes) {
    int size = size(answerBytes);
    return fit(size) + size - head <= capacity;
  }

  /** Adds a record for which there is room; answers where it lies. */
  int add(long hash, long check, long nanos, byte[] answer) {
    int size = size(answer.length);
    long position = fit(size);
    if (position != tail && leftInChunk(tail) >= HEAD) {
      chunk(at(tail)).putInt(offset(at(tail)) + LENGTH, SKIP);
    }
    int record = at(position);
    ByteBuffer chunk = chunk(record);
    int offset = offset(record);
    chunk.putLong(offset, hash);
    chunk.putLong(offset + CHECK, check);
    chunk.putLong(offset + NANOS, nanos);
    chunk.putInt(offset + LENGTH, answer.length);
    chunk.put(offset + HEAD, answer);
    tail = position + size;
    return record;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** Where the oldest record lies. */
  int oldest() {
    return at(first(head));
  }

  void dropOldest() {
    long next = after(first(head));
    head = next < 0 ? tail : next;
  }

  /** The first record from a position on, or -1. */
  long first(long from) {
    long position = Math.max(from, head);
    while (position < tail && isSkipped(position)) {
      position += leftInChunk(position);
    }
    return position < tail ? position : -1;
  }

  private boolean isSkipped(long position) {
    return leftInChunk(position) < HEAD || length(at(position)) == SKIP;
  }

  /** The record after the one at a position, or -1. */
  long after(long position) {
    return first(position + size(length(at(position))));
  }

  /** Where the record at a position lies. */
  int at(long position) {
    return (int) (position % capacity / WORD);
  }

  long hash(int record) {
    return chunk(record).getLong(offset(record));
  }

  long check(int record) {
    return chunk(record).getLong(offset(record) + CHECK);
  }

  long nanos(int record) {
    return chunk(record).getLong(offset(record) + NANOS);
  }

  private int length(int record) {
    return chunk(record).getInt(offset(record) + LENGTH);
  }

  byte[] answer(int record) {
    byte[] answer = new byte[length(record)];
    chunk(record).get(offset(record) + HEAD, answer);
    return answer;
  }

  private static int offset(int record) {
    return record % (CHUNK / WORD) * WORD;
  }

  private ByteBuffer chunk(int record) {
    int number = record / (CHUNK / WORD);
    ByteBuffer chunk = chunks[number];
    if (chunk == null) {
      chunk = ByteBuffer.allocateDirect(CHUNK).order(ByteOrder.nativeOrder());
      chunks[number] = chunk;
    }
    return chunk;
  }
}
