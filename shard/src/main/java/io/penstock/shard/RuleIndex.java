package io.penstock.shard;

import java.util.Arrays;

/** Which rules a frame has named, by serial number. Confined to the thread that writes frames. */
final class RuleIndex {
  static final int NEW = -1;

  private static final int SIZE_MIN = 64;
  private static final long NONE = Long.MIN_VALUE;

  private long[] serials = new long[SIZE_MIN];
  private int[] indexes = new int[SIZE_MIN];
  private int size;
  private long lastSerial = NONE;
  private int lastIndex;

  RuleIndex() {
    Arrays.fill(serials, NONE);
  }

  void clear() {
    if (size > 0) {
      Arrays.fill(serials, NONE);
      size = 0;
      lastSerial = NONE;
    }
  }

  int size() {
    return size;
  }

  /** The index of a rule in this frame, or {@link #NEW}. */
  int find(long serial) {
    if (serial != lastSerial) {
      int slot = slot(serial);
      if (serials[slot] == NONE) {
        return NEW;
      }
      lastSerial = serial;
      lastIndex = indexes[slot];
    }
    return lastIndex;
  }

  /** Gives a new rule the next index. */
  int add(long serial) {
    if (2 * (size + 1) > serials.length) {
      grow();
    }
    int slot = slot(serial);
    serials[slot] = serial;
    indexes[slot] = size;
    return size++;
  }

  private void grow() {
    long[] beforeSerials = serials;
    int[] beforeIndexes = indexes;
    serials = new long[2 * beforeSerials.length];
    indexes = new int[serials.length];
    Arrays.fill(serials, NONE);
    for (int i = 0; i < beforeSerials.length; i++) {
      if (beforeSerials[i] != NONE) {
        int slot = slot(beforeSerials[i]);
        serials[slot] = beforeSerials[i];
        indexes[slot] = beforeIndexes[i];
      }
    }
  }

  private int slot(long serial) {
    int slot = (int) serial & (serials.length - 1);
    while (serials[slot] != NONE && serials[slot] != serial) {
      slot = (slot + 1) & (serials.length - 1);
    }
    return slot;
  }
}
