package io.penstock.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes that grow up to a bound, beyond which they say so and take no more. Confined. */
final class Bytes {
  private static final int SIZE_MIN = 1 << 10;

  private final int max;
  private final boolean direct;
  private ByteBuffer buffer;
  private boolean overflowed;

  Bytes(int max, boolean direct) {
    this.max = max;
    this.direct = direct;
    this.buffer = allocate(SIZE_MIN);
  }

  private ByteBuffer allocate(int size) {
    ByteBuffer bytes = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    return bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  void clear() {
    buffer.clear();
    overflowed = false;
  }

  /** Whether so many more bytes fit; after the first that do not, none do. */
  boolean hasRoom(int more) {
    if (more > buffer.remaining() && !overflowed) {
      long needed = (long) buffer.position() + more;
      overflowed = needed > max;
      if (!overflowed) {
        ByteBuffer larger = allocate((int) Math.min(max, Math.max(needed, 2L * buffer.capacity())));
        buffer = larger.put(buffer.flip());
      }
    }
    return !overflowed;
  }

  /** Where to write what there is room for. */
  ByteBuffer buffer() {
    return buffer;
  }

  int size() {
    return buffer.position();
  }

  boolean overflowed() {
    return overflowed;
  }

  /** Adds what others have gathered, and empties them. */
  void take(Bytes other) {
    if (other.overflowed) {
      overflowed = true;
    } else if (hasRoom(other.size())) {
      buffer.put(other.buffer.flip());
    }
    other.clear();
  }
}
