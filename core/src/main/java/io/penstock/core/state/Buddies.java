package io.penstock.core.state;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Memory in blocks of 1, 2, 4… cache lines, any of which can be made from any other. Thread-safe
 * for taking and freeing; what is in a block belongs to who has taken it.
 */
final class Buddies {
  /*
   * A block that is too long is split in two, and two halves of one block that are both free are
   * joined again: the buddy of a block is where its own place differs in the bit of its size. A
   * handle is the number of the area, counted from 1, above the line in it, so 0 is no block.
   *
   * Of each block the first word says whose it is, the second its size in the lowest bits; of a
   * free one the next two name its neighbours in the list of its size.
   */
  static final int SIZES = 25;
  static final int SIZE_BITS = 5;
  static final int HEAD_WORDS = 2;

  /** A block of this size is the first to fill an area of the least size. */
  static final int AREA_SIZE_MIN = 9;

  /**
   * Longer blocks have an area of their own and are not made of others: it would take more than a
   * millisecond.
   */
  private static final int AREA_SIZE_MAX = 13;

  /** An area is so many times smaller than all before it together, so that little lies bare. */
  private static final int GROWTH_DIVISOR = 4;

  /** How many lines are looked at, at least, for some that can be joined. */
  private static final int LINES_SEARCHED = 1 << 12;

  private static final long FREE = 0;
  private static final long TAKEN = 1;
  private static final long CLAIMED = 2;
  private static final int AREA_SHIFT = SIZES - 1;
  private static final long LINE_MASK = (1L << AREA_SHIFT) - 1;
  private static final long SIZE_MASK = (1L << SIZE_BITS) - 1;
  private static final int PREVIOUS = 2;
  private static final int NEXT = 3;

  private final Budget budget;
  private final long[] firstFree = new long[SIZES];
  private volatile LongBuffer[] areas = {};
  private long lines;
  private long freeLines;
  private long hand = 1L << AREA_SHIFT;

  Buddies(Budget budget) {
    this.budget = budget;
  }

  LongBuffer area(long handle) {
    return areas[(int) (handle >>> AREA_SHIFT) - 1];
  }

  /** Where in its area a block begins. */
  static int base(long handle) {
    return (int) (handle & LINE_MASK) * Memory.LINE_WORDS;
  }

  int size(long handle) {
    return (int) (area(handle).get(base(handle) + 1) & SIZE_MASK);
  }

  /** Whose a block is, as far as {@link #owner(long, long)} has said. */
  long owner(long handle) {
    return area(handle).get(base(handle));
  }

  /** Says whose a block is that has been taken, by a hash. */
  void owner(long handle, long hash) {
    area(handle).put(base(handle), hash);
  }

  /** A block of that size, or 0 if there is none. */
  synchronized long take(int size) {
    int found = size;
    while (found < SIZES && firstFree[found] == 0) {
      found++;
    }
    if (found == SIZES) {
      found = addArea(size);
      if (found < 0) {
        return 0;
      }
    }
    long handle = firstFree[found];
    unlink(handle, found);
    while (found > size) {
      found--;
      link(handle + (1L << found), found);
    }
    mark(handle, TAKEN, size);
    return handle;
  }

  synchronized void free(long handle) {
    int size = size(handle);
    int areaSize = areaSize(handle);
    long joined = handle;
    while (size < areaSize && isFree(joined ^ 1L << size, size)) {
      unlink(joined ^ 1L << size, size);
      joined &= ~(1L << size);
      size++;
    }
    link(joined, size);
  }

  /**
   * Makes a free block of that size out of shorter ones, which {@code moves} is asked to bring
   * elsewhere; false if there is not enough that is free, or if none could be made for now.
   */
  synchronized boolean vacate(int size, LongPredicate moves) {
    boolean vacated = false;
    if (size > AREA_SIZE_MAX) {
      return false;
    }
    for (long seen = 0; seen < LINES_SEARCHED && !vacated; seen += 1L << size) {
      if (freeLines < 1L << size || !turnHand(size)) {
        return false;
      }
      vacated = isSplit(hand, size) && isVacated(hand, size, moves);
    }
    return vacated;
  }

  /** Goes on to the next place for a block of that size; false if no area is as long. */
  private boolean turnHand(int size) {
    long next = ((hand >>> size) + 1) << size;
    /* Once around: the rest of this area, those behind it, the end, and from the first on. */
    for (int i = 0; i < areas.length + 2; i++) {
      long areaStart = next & ~LINE_MASK;
      boolean exists = areaStart >>> AREA_SHIFT <= areas.length;
      if (exists && (next & LINE_MASK) + (1L << size) <= 1L << areaSize(next)) {
        hand = next;
        return true;
      }
      next = (exists ? areaStart : 0) + (1L << AREA_SHIFT);
    }
    return false;
  }

  /** Whether shorter blocks begin at a place, and not one of that size or longer lies there. */
  private boolean isSplit(long place, int size) {
    long block = place & ~LINE_MASK;
    int span = areaSize(place);
    while (span > size && size(block) < span) {
      span--;
      block |= place & 1L << span;
    }
    return span == size && size(block) < size;
  }

  private boolean isVacated(long start, int size, LongPredicate moves) {
    long end = start + (1L << size);
    /* What is free here must not be taken for what is moved away. */
    for (long block = start; block < end; block += 1L << size(block)) {
      if (owner(block) == FREE) {
        unlink(block, size(block));
        mark(block, CLAIMED, size(block));
      }
    }
    boolean all = true;
    for (long block = start; block < end && all; block += 1L << size(block)) {
      if (owner(block) != CLAIMED) {
        all = moves.test(block);
        if (all) {
          mark(block, CLAIMED, size(block));
        }
      }
    }
    if (all) {
      mark(start, TAKEN, size);
      free(start);
    } else {
      release(start, end);
    }
    return all;
  }

  private void release(long start, long end) {
    long block = start;
    while (block < end) {
      long next = block + (1L << size(block));
      if (owner(block) == CLAIMED) {
        free(block);
      }
      block = next;
    }
  }

  private int addArea(int size) {
    long share = Math.max(1, lines / GROWTH_DIVISOR);
    int wanted = Math.min(AREA_SIZE_MAX, Long.SIZE - 1 - Long.numberOfLeadingZeros(share));
    int least = Math.max(size, AREA_SIZE_MIN);
    for (int areaSize = Math.max(wanted, least); areaSize >= least; areaSize--) {
      LongBuffer area = budget.take(Memory.LINE_WORDS << areaSize);
      if (area != null) {
        LongBuffer[] more = Arrays.copyOf(areas, areas.length + 1);
        more[areas.length] = area;
        areas = more;
        lines += 1L << areaSize;
        link((long) more.length << AREA_SHIFT, areaSize);
        return areaSize;
      }
    }
    return -1;
  }

  /** The size of a block that would fill an area, which may have one line more. */
  private int areaSize(long handle) {
    int lines = area(handle).capacity() / Memory.LINE_WORDS;
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(lines);
  }

  private boolean isFree(long handle, int size) {
    return owner(handle) == FREE && size(handle) == size;
  }

  private void mark(long handle, long owner, int size) {
    LongBuffer words = area(handle);
    words.put(base(handle), owner);
    words.put(base(handle) + 1, size);
  }

  private void link(long handle, int size) {
    mark(handle, FREE, size);
    long next = firstFree[size];
    put(handle, PREVIOUS, 0);
    put(handle, NEXT, next);
    if (next != 0) {
      put(next, PREVIOUS, handle);
    }
    firstFree[size] = handle;
    freeLines += 1L << size;
  }

  private void unlink(long handle, int size) {
    long previous = area(handle).get(base(handle) + PREVIOUS);
    long next = area(handle).get(base(handle) + NEXT);
    if (previous == 0) {
      firstFree[size] = next;
    } else {
      put(previous, NEXT, next);
    }
    if (next != 0) {
      put(next, PREVIOUS, previous);
    }
    freeLines -= 1L << size;
  }

  private void put(long handle, int word, long value) {
    area(handle).put(base(handle) + word, value);
  }
}
