package io.penstock.core.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Edges whose hashes begin alike, in flat arrays. Confined to its owner until it is shared; never
 * changed after that.
 *
 * <p>A slot holds 32 bits of the hash and, plus one, where the record of its edge begins; 0 is
 * free. A record is the place that the edge leaves, two lengths, and two texts with one byte per
 * character if all are Latin-1. Two edges are one only if all of that is equal: a hash alone never
 * decides.
 */
final class Bucket {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle CHARS =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int HEAD_BYTES = Long.BYTES + Integer.BYTES;
  private static final int SLOTS_MIN = 4;
  private static final int LENGTH_BITS = 15;

  /** Set in the lengths of a record with two bytes per character. */
  private static final int WIDE = 1 << 31;

  private static final int LATIN1_MAX = 0xFF;

  static final Bucket NONE =
      new Bucket(new Object(), new long[SLOTS_MIN], new Object[SLOTS_MIN], new byte[0]);

  /** Who may still change this. */
  private final Object owner;

  private long[] slots;
  private @Nullable Object[] targets;
  private byte[] records;
  private int recordBytes;
  private boolean sharesRecords;
  private int size;

  private Bucket(Object owner, long[] slots, @Nullable Object[] targets, byte[] records) {
    this.owner = owner;
    this.slots = slots;
    this.targets = targets;
    this.records = records;
  }

  /** This bucket, if that is its owner; else a copy that it owns. */
  Bucket ownedBy(Object newOwner) {
    if (owner == newOwner) {
      return this;
    }
    Bucket copy = new Bucket(newOwner, slots.clone(), targets.clone(), records);
    copy.recordBytes = recordBytes;
    copy.sharesRecords = true;
    copy.size = size;
    return copy;
  }

  /** The end of an edge; null if it is not here. */
  @Nullable Object get(int tag, long place, String key, String value) {
    return targets[find(tag, place, key, value)];
  }

  /** The slot of an edge, or the free one where it belongs. */
  private int find(int tag, long place, String key, String value) {
    int mask = slots.length - 1;
    int at = tag & mask;
    for (long slot = slots[at]; slot != 0; slot = slots[at]) {
      if ((int) (slot >>> 32) == tag && isAt((int) slot - 1, place, key, value)) {
        return at;
      }
      at = (at + 1) & mask;
    }
    return at;
  }

  private boolean isAt(int record, long place, String key, String value) {
    int lengths = (int) INTS.get(records, record + Long.BYTES);
    if ((long) LONGS.get(records, record) != place || (lengths & ~WIDE) != lengths(key, value)) {
      return false;
    }
    int at = record + HEAD_BYTES;
    return lengths < 0
        ? isWide(at, key) && isWide(at + Character.BYTES * key.length(), value)
        : isLatin1(at, key) && isLatin1(at + key.length(), value);
  }

  private static int lengths(String key, String value) {
    return key.length() << LENGTH_BITS | value.length();
  }

  private boolean isLatin1(int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if ((records[from + i] & LATIN1_MAX) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isWide(int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if ((char) CHARS.get(records, from + Character.BYTES * i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Sets the end of an edge. */
  void put(int tag, long place, String key, String value, Object target) {
    if (4 * (size + 1) > 3 * slots.length) {
      grow();
    }
    int at = find(tag, place, key, value);
    if (slots[at] == 0) {
      slots[at] = (long) tag << 32 | (recordBytes + 1);
      append(place, key, value);
      size++;
    }
    targets[at] = target;
  }

  private void grow() {
    long[] oldSlots = slots;
    @Nullable Object[] oldTargets = targets;
    slots = new long[2 * oldSlots.length];
    targets = new Object[2 * oldSlots.length];
    for (int i = 0; i < oldSlots.length; i++) {
      if (oldSlots[i] != 0) {
        place(oldSlots[i], oldTargets[i]);
      }
    }
  }

  private void place(long slot, @Nullable Object target) {
    int mask = slots.length - 1;
    int at = (int) (slot >>> 32) & mask;
    while (slots[at] != 0) {
      at = (at + 1) & mask;
    }
    slots[at] = slot;
    targets[at] = target;
  }

  private void append(long place, String key, String value) {
    boolean wide = isWide(key) || isWide(value);
    int from = recordBytes;
    recordBytes += HEAD_BYTES + (wide ? Character.BYTES : 1) * (key.length() + value.length());
    makeRoom();
    LONGS.set(records, from, place);
    INTS.set(records, from + Long.BYTES, lengths(key, value) | (wide ? WIDE : 0));
    int at = from + HEAD_BYTES;
    for (int i = 0; i < key.length() + value.length(); i++) {
      char c = i < key.length() ? key.charAt(i) : value.charAt(i - key.length());
      if (wide) {
        CHARS.set(records, at + Character.BYTES * i, c);
      } else {
        records[at + i] = (byte) c;
      }
    }
  }

  /* One change of a shared bucket takes what it needs; many changes by one owner take turns. */
  private void makeRoom() {
    if (sharesRecords) {
      records = Arrays.copyOf(records, recordBytes);
      sharesRecords = false;
    } else if (records.length < recordBytes) {
      records = Arrays.copyOf(records, Math.max(recordBytes, records.length / 2 * 3));
    }
  }

  private static boolean isWide(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > LATIN1_MAX) {
        return true;
      }
    }
    return false;
  }

  /** Takes an edge out, if it is there; the others move together. */
  void remove(int tag, long place, String key, String value) {
    int removed = find(tag, place, key, value);
    if (slots[removed] == 0) {
      return;
    }
    Bucket old = new Bucket(owner, slots, targets, records);
    slots = new long[old.slots.length];
    targets = new Object[old.slots.length];
    records = new byte[recordBytes - old.length(removed)];
    recordBytes = 0;
    sharesRecords = false;
    size--;
    for (int i = 0; i < old.slots.length; i++) {
      if (i != removed && old.slots[i] != 0) {
        int length = old.length(i);
        System.arraycopy(old.records, old.record(i), records, recordBytes, length);
        place(old.slots[i] >>> 32 << 32 | (recordBytes + 1), old.targets[i]);
        recordBytes += length;
      }
    }
  }

  private int record(int slot) {
    return (int) slots[slot] - 1;
  }

  /** How many bytes the record of a slot takes. */
  private int length(int slot) {
    int lengths = (int) INTS.get(records, record(slot) + Long.BYTES);
    int chars = ((lengths & ~WIDE) >>> LENGTH_BITS) + (lengths & ((1 << LENGTH_BITS) - 1));
    return HEAD_BYTES + (lengths < 0 ? Character.BYTES : 1) * chars;
  }

  /** Gives back what is not used. */
  void trim() {
    if (records.length > recordBytes) {
      records = Arrays.copyOf(records, recordBytes);
    }
  }
}
