package io.penstock.core.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Edges whose hashes begin alike, in a flat table with linear probing. Confined to its owner until
 * it is shared; never changed after that.
 *
 * <p>A cell has the size of a cache line, so that a lookup waits for memory once: some bits of the
 * hash with the place that the edge leaves (0 is free), the lengths of its two texts, and these
 * texts, or where they are if they are longer. They take one byte per character if all are Latin-1.
 * Two edges are one only if all of that is equal: a hash alone never decides.
 */
final class Bucket {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle CHARS =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int CELL_BITS = 6;
  private static final int LENGTHS = Long.BYTES;
  private static final int TEXT = LENGTHS + Integer.BYTES;
  private static final int TEXT_MAX = (1 << CELL_BITS) - TEXT;

  /** How many bits of a cell's head are the place; the others are of the hash, and not all 0. */
  private static final int PLACE_BITS = 42;

  private static final long USED = 1L << 63;
  private static final int LENGTH_BITS = 15;

  /** Set in the lengths of texts with two bytes per character. */
  private static final int WIDE = 1 << 31;

  private static final int LATIN1_MAX = 0xFF;
  private static final int CELLS_MIN = 4;

  static final Bucket NONE = new Bucket(new Object(), CELLS_MIN);

  /** Who may still change this. */
  private final Object owner;

  private byte[] cells;
  private @Nullable Object[] targets;
  private byte[] texts = new byte[0];
  private int textBytes;
  private int size;

  private Bucket(Object owner, int capacity) {
    this.owner = owner;
    this.cells = new byte[capacity << CELL_BITS];
    this.targets = new Object[capacity];
  }

  private Bucket(Object owner, Bucket from) {
    this.owner = owner;
    this.cells = from.cells.clone();
    this.targets = from.targets.clone();
    this.texts = Arrays.copyOf(from.texts, from.textBytes);
    this.textBytes = from.textBytes;
    this.size = from.size;
  }

  /** This bucket, if that is its owner; else a copy that it owns. */
  Bucket ownedBy(Object newOwner) {
    return owner == newOwner ? this : new Bucket(newOwner, this);
  }

  /** The end of an edge; null if it is not here. */
  @Nullable Object get(int tag, long place, String key, String value) {
    return targets[find(head(tag, place), key, value)];
  }

  private static long head(int tag, long place) {
    return USED | (long) tag << PLACE_BITS | place;
  }

  /** The index of an edge, or the free one where it belongs. */
  private int find(long head, String key, String value) {
    int mask = targets.length - 1;
    int at = home(head) & mask;
    for (long there = head(at); there != 0; there = head(at)) {
      if (there == head && isAt(at, key, value)) {
        return at;
      }
      at = (at + 1) & mask;
    }
    return at;
  }

  private static int home(long head) {
    return (int) (head >>> PLACE_BITS);
  }

  private long head(int at) {
    return (long) LONGS.get(cells, at << CELL_BITS);
  }

  private boolean isAt(int at, String key, String value) {
    int lengths = lengths(at);
    if ((lengths & ~WIDE) != (key.length() << LENGTH_BITS | value.length())) {
      return false;
    }
    boolean inside = bytes(lengths) <= TEXT_MAX;
    byte[] where = inside ? cells : texts;
    int from = inside ? (at << CELL_BITS) + TEXT : textAt(at);
    return lengths < 0
        ? isWide(where, from, key) && isWide(where, from + Character.BYTES * key.length(), value)
        : isLatin1(where, from, key) && isLatin1(where, from + key.length(), value);
  }

  private int lengths(int at) {
    return (int) INTS.get(cells, (at << CELL_BITS) + LENGTHS);
  }

  private int textAt(int at) {
    return (int) INTS.get(cells, (at << CELL_BITS) + TEXT);
  }

  /** How many bytes texts of these lengths take. */
  private static int bytes(int lengths) {
    int chars = ((lengths & ~WIDE) >>> LENGTH_BITS) + (lengths & ((1 << LENGTH_BITS) - 1));
    return lengths < 0 ? Character.BYTES * chars : chars;
  }

  private static boolean isLatin1(byte[] where, int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if ((where[from + i] & LATIN1_MAX) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWide(byte[] where, int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if ((char) CHARS.get(where, from + Character.BYTES * i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Sets the end of an edge. */
  void put(int tag, long place, String key, String value, Object target) {
    long head = head(tag, place);
    int at = find(head, key, value);
    if (head(at) == 0 && 8 * (size + 1) > 5 * targets.length) {
      rebuild(2 * targets.length, /* except= */ at);
      at = find(head, key, value);
    }
    if (head(at) == 0) {
      size++;
      write(at, head, key, value);
    }
    targets[at] = target;
  }

  private void write(int at, long head, String key, String value) {
    boolean wide = isWide(key) || isWide(value);
    int lengths = key.length() << LENGTH_BITS | value.length() | (wide ? WIDE : 0);
    int bytes = bytes(lengths);
    LONGS.set(cells, at << CELL_BITS, head);
    INTS.set(cells, (at << CELL_BITS) + LENGTHS, lengths);
    if (bytes <= TEXT_MAX) {
      copy(key, value, cells, (at << CELL_BITS) + TEXT, wide);
    } else {
      copy(key, value, texts, room(at, bytes), wide);
    }
  }

  /** Makes room for the texts of a cell beside the cells, and says where. */
  private int room(int at, int bytes) {
    int from = textBytes;
    INTS.set(cells, (at << CELL_BITS) + TEXT, from);
    textBytes += bytes;
    if (texts.length < textBytes) {
      texts = Arrays.copyOf(texts, textBytes + textBytes / 2);
    }
    return from;
  }

  private static boolean isWide(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > LATIN1_MAX) {
        return true;
      }
    }
    return false;
  }

  private static void copy(String key, String value, byte[] to, int from, boolean wide) {
    for (int i = 0; i < key.length() + value.length(); i++) {
      char c = i < key.length() ? key.charAt(i) : value.charAt(i - key.length());
      if (wide) {
        CHARS.set(to, from + Character.BYTES * i, c);
      } else {
        to[from + i] = (byte) c;
      }
    }
  }

  /** Takes an edge out, if it is there. */
  void remove(int tag, long place, String key, String value) {
    int at = find(head(tag, place), key, value);
    if (head(at) != 0) {
      size--;
      rebuild(targets.length, /* except= */ at);
    }
  }

  /** Puts all cells but one into a table of their own; no text stays that none of them needs. */
  private void rebuild(int capacity, int except) {
    Bucket old = new Bucket(owner, this);
    cells = new byte[capacity << CELL_BITS];
    targets = new Object[capacity];
    texts = new byte[old.textBytes];
    textBytes = 0;
    for (int i = 0; i < old.targets.length; i++) {
      if (i != except && old.head(i) != 0) {
        take(old, i);
      }
    }
  }

  private void take(Bucket old, int index) {
    int mask = targets.length - 1;
    int at = home(old.head(index)) & mask;
    while (head(at) != 0) {
      at = (at + 1) & mask;
    }
    System.arraycopy(old.cells, index << CELL_BITS, cells, at << CELL_BITS, 1 << CELL_BITS);
    targets[at] = old.targets[index];
    int bytes = bytes(lengths(at));
    if (bytes > TEXT_MAX) {
      System.arraycopy(old.texts, old.textAt(index), texts, room(at, bytes), bytes);
    }
  }

  /** Gives back what is not used. */
  void trim() {
    if (texts.length > textBytes) {
      texts = Arrays.copyOf(texts, textBytes);
    }
  }
}
