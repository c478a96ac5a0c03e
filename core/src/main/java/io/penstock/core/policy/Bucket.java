package io.penstock.core.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Edges whose heads begin alike, in a flat table with linear probing. Confined to its owner until
 * it is shared; never changed after that.
 *
 * <p>A cell is smaller than a cache line and at least every second one is free, so that a lookup
 * mostly waits for memory once. It has the head of the edge (0 is free), the lengths of its two
 * texts, and these texts, or where they are if they are longer. Two edges are one only if all of
 * that is equal: a hash alone never decides.
 */
final class Bucket {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The bytes of a cell. */
  private static final int CELL = 56;

  private static final int LENGTHS = Long.BYTES;
  private static final int TEXT = LENGTHS + Integer.BYTES;
  private static final int TEXT_MAX = CELL - TEXT;

  /** A change copies a bucket: more cells make it slower, fewer make more buckets. */
  private static final int CELLS = 1 << 11;

  private static final int MASK = CELLS - 1;

  /** Searches get long beyond that; none ends if no cell is free. */
  private static final int SIZE_ENOUGH = CELLS / 2;

  /** What is at the end of no edge. */
  static final Object NOTHING = new Object();

  private static final byte[] NO_TEXTS = {};

  /** Who may still change this. */
  private final Object owner;

  /** How many of their first bits the heads of all edges here have in common. */
  private final int depth;

  private byte[] cells;
  private boolean sharesCells;
  private final Object[] targets;
  private byte[] texts = NO_TEXTS;
  private int textBytes;
  private int size;

  Bucket(Object owner, int depth) {
    this.owner = owner;
    this.depth = depth;
    this.cells = new byte[CELLS * CELL];
    this.targets = new Object[CELLS];
    Arrays.fill(targets, NOTHING);
  }

  private Bucket(Object owner, Bucket from) {
    this.owner = owner;
    this.depth = from.depth;
    this.cells = from.cells;
    this.sharesCells = true;
    this.targets = from.targets.clone();
    this.texts = from.texts;
    this.textBytes = from.textBytes;
    this.size = from.size;
  }

  /** This bucket, if that is its owner; else a copy that it owns. */
  Bucket ownedBy(Object newOwner) {
    return owner == newOwner ? this : new Bucket(newOwner, this);
  }

  int depth() {
    return depth;
  }

  int size() {
    return size;
  }

  byte[] cells() {
    return cells;
  }

  Object[] targets() {
    return targets;
  }

  /**
   * The index of an edge, or the free one where it belongs. The cells are those of the bucket,
   * which is looked at only for long texts.
   */
  static int find(byte[] cells, Bucket bucket, long head, String key, String value) {
    int at = home(head);
    for (long there = head(cells, at); there != 0; there = head(cells, at)) {
      if (there == head && isAt(cells, bucket, at, key, value)) {
        return at;
      }
      at = (at + 1) & MASK;
    }
    return at;
  }

  /** Where the search for an edge begins. */
  static int home(long head) {
    return Hashes.home(head) & MASK;
  }

  private static long head(byte[] cells, int at) {
    return (long) LONGS.get(cells, at * CELL);
  }

  private static boolean isAt(byte[] cells, Bucket bucket, int at, String key, String value) {
    int lengths = (int) INTS.get(cells, at * CELL + LENGTHS);
    boolean inside = Texts.bytes(lengths) <= TEXT_MAX;
    int from = at * CELL + TEXT;
    return inside
        ? Texts.areAt(cells, from, lengths, key, value)
        : Texts.areAt(bucket.texts, (int) INTS.get(cells, from), lengths, key, value);
  }

  /** Whether this should be split before one more is put into it. */
  boolean isCrowded() {
    return size >= SIZE_ENOUGH;
  }

  /** Whether this and another can be one, with room for as many again. */
  boolean fitsWith(Bucket other) {
    return other.depth == depth && 2 * (size + other.size) <= SIZE_ENOUGH;
  }

  /** The edges of this whose heads have a one, or none, in the next bit. */
  Bucket half(boolean one) {
    Bucket half = new Bucket(owner, depth + 1);
    for (int i = 0; i < CELLS; i++) {
      long head = head(cells, i);
      if (head != 0 && head << depth < 0 == one) {
        half.take(this, i);
      }
    }
    return half;
  }

  /** The edges of this and of another. */
  Bucket and(Bucket other) {
    Bucket both = new Bucket(owner, depth - 1);
    for (int i = 0; i < CELLS; i++) {
      both.take(this, i);
      both.take(other, i);
    }
    return both;
  }

  private void take(Bucket other, int index) {
    long head = head(other.cells, index);
    if (head == 0) {
      return;
    }
    int at = home(head);
    while (head(cells, at) != 0) {
      at = (at + 1) & MASK;
    }
    System.arraycopy(other.cells, index * CELL, cells, at * CELL, CELL);
    targets[at] = other.targets[index];
    moveText(at, other.texts);
    size++;
  }

  /** Copies the texts of a cell to here if they are not in it. */
  private void moveText(int at, byte[] from) {
    int bytes = Texts.bytes((int) INTS.get(cells, at * CELL + LENGTHS));
    if (bytes > TEXT_MAX) {
      int old = (int) INTS.get(cells, at * CELL + TEXT);
      int to = room(at, bytes);
      System.arraycopy(from, old, texts, to, bytes);
    }
  }

  /** Makes room for the texts of a cell beside the cells, and says where. */
  private int room(int at, int bytes) {
    int from = textBytes;
    INTS.set(cells, at * CELL + TEXT, from);
    textBytes += bytes;
    if (texts.length < textBytes) {
      texts = Arrays.copyOf(texts, textBytes + textBytes / 2);
    }
    return from;
  }

  /** Sets the end of an edge. */
  void put(long head, String key, String value, Object target) {
    int at = find(cells, this, head, key, value);
    if (head(cells, at) == 0) {
      if (size == MASK) {
        throw new IllegalStateException("scopes: " + size + " in a bucket (expected: fewer)");
      }
      ownCells();
      LONGS.set(cells, at * CELL, head);
      write(at, key, value);
      size++;
    }
    targets[at] = target;
  }

  private void ownCells() {
    if (sharesCells) {
      cells = cells.clone();
      texts = Arrays.copyOf(texts, textBytes);
      sharesCells = false;
    }
  }

  private void write(int at, String key, String value) {
    int lengths = Texts.lengths(key, value);
    int bytes = Texts.bytes(lengths);
    INTS.set(cells, at * CELL + LENGTHS, lengths);
    if (bytes <= TEXT_MAX) {
      Texts.write(cells, at * CELL + TEXT, lengths, key, value);
    } else {
      int from = room(at, bytes);
      Texts.write(texts, from, lengths, key, value);
    }
  }

  /** Takes an edge out, if it is there. */
  void remove(long head, String key, String value) {
    int at = find(cells, this, head, key, value);
    if (head(cells, at) != 0) {
      ownCells();
      close(at);
      size--;
      compactTexts();
    }
  }

  /** Empties a cell; those behind it that would not be found any more move up. */
  private void close(int at) {
    int hole = at;
    for (int i = (at + 1) & MASK; head(cells, i) != 0; i = (i + 1) & MASK) {
      int home = home(head(cells, i));
      if (((i - home) & MASK) >= ((i - hole) & MASK)) {
        System.arraycopy(cells, i * CELL, cells, hole * CELL, CELL);
        targets[hole] = targets[i];
        hole = i;
      }
    }
    Arrays.fill(cells, hole * CELL, (hole + 1) * CELL, (byte) 0);
    targets[hole] = NOTHING;
  }

  private void compactTexts() {
    byte[] old = texts;
    texts = textBytes == 0 ? NO_TEXTS : new byte[textBytes];
    textBytes = 0;
    for (int i = 0; i < CELLS && old.length > 0; i++) {
      if (head(cells, i) != 0) {
        moveText(i, old);
      }
    }
  }

  /** Gives back what is not used. */
  void trim() {
    if (!sharesCells && texts.length > textBytes) {
      texts = Arrays.copyOf(texts, textBytes);
    }
  }
}
