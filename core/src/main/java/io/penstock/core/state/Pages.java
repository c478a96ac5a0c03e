package io.penstock.core.state;

import java.nio.LongBuffer;

/**
 * The memory of the slots: a page is one cache line of four slots. Thread-safe for growing; what is
 * in a page belongs to the stripe it is a page of.
 *
 * <p>A place is a page of a stripe times four plus the number of the slot in it.
 */
final class Pages {
  /*
   * A slab holds four pages of every stripe, side by side: slab 0 pages 0 to 3, slab 1 pages 4 to
   * 7. So a stripe's pages need no directory, a search that goes on to the next page mostly finds
   * it in the next cache line, slabs are only ever added, and nothing is copied or freed when the
   * table grows.
   */
  static final int NOWHERE = -1;

  /** Pages of one stripe in one slab. */
  static final int PER_SLAB = 4;

  private static final int SLAB_SHIFT = 4;
  private static final int SLAB_MASK = PER_SLAB * Slots.PER_PAGE - 1;
  private static final int STRIPE_WORDS = PER_SLAB * Memory.LINE_WORDS;

  private static final int SLAB_BYTES_AT_ONCE = 1 << 20;
  private static final int GROWTH_DIVISOR = 16;

  private final int stripes;
  private final Budget budget;
  private final LongBuffer[] slabs;
  private volatile int count;

  Pages(int stripes, Budget budget) {
    this.stripes = stripes;
    this.budget = budget;
    this.slabs = new LongBuffer[(int) (budget.max() / slabBytes())];
    add(1);
    if (count == 0) {
      throw new OutOfMemoryError("no direct memory for a table: see -XX:MaxDirectMemorySize");
    }
  }

  long get(int stripe, int place, int word) {
    return slabs[place >> SLAB_SHIFT].get(index(stripe, place) + word);
  }

  void put(int stripe, int place, int word, long value) {
    slabs[place >> SLAB_SHIFT].put(index(stripe, place) + word, value);
  }

  /** The slab that a place lies in, at {@link #index}. */
  LongBuffer slab(int place) {
    return slabs[place >> SLAB_SHIFT];
  }

  /** Empties the first so many pages of a stripe. */
  void clear(int stripe, int pages) {
    for (int page = 0; page < pages; page++) {
      LongBuffer slab = slabs[page / PER_SLAB];
      int base = index(stripe, page * Slots.PER_PAGE);
      for (int word = 0; word < Memory.LINE_WORDS; word++) {
        slab.put(base + word, 0);
      }
    }
  }

  static int index(int stripe, int place) {
    return stripe * STRIPE_WORDS + (place & SLAB_MASK) * Slots.WORDS;
  }

  /** The line a search for the hash starts at: its slab and where it begins there, in one. */
  static long line(long hash, int stripe, int pages) {
    int place = Slots.home(hash, pages) * Slots.PER_PAGE;
    return (long) (place >> SLAB_SHIFT) << Integer.SIZE | index(stripe, place);
  }

  /** Reads the first word of a line, so that the line is near when it is needed. */
  long first(long line) {
    return slabs[(int) (line >>> Integer.SIZE)].get((int) line);
  }

  /**
   * The place of a hash, or {@link #NOWHERE}. Reads at most {@code pages} pages whatever they hold,
   * so it may run while another thread writes, if the caller then finds out and asks again.
   *
   * <p>A key lies in the first page from its home on that had room for it, and pages never get
   * emptier except by {@link Rebuild}: a page with room ends the search. If slots of two kinds are
   * mixed, room means two slots that belong together, since a wide key passes by a single one.
   */
  int find(long hash, int stripe, int pages, boolean mixed) {
    int page = Slots.home(hash, pages);
    for (int i = 0; i < pages; i++) {
      LongBuffer slab = slabs[page / PER_SLAB];
      int base = index(stripe, page * Slots.PER_PAGE);
      long header0 = slab.get(base);
      long header1 = slab.get(base + 2);
      long header2 = slab.get(base + 4);
      long header3 = slab.get(base + 6);
      if (Slots.matches(header0, hash)) {
        return page << 2;
      }
      if (Slots.matches(header1, hash) && !Slots.isWide(header0)) {
        return page << 2 | 1;
      }
      if (Slots.matches(header2, hash)) {
        return page << 2 | 2;
      }
      if (Slots.matches(header3, hash) && !Slots.isWide(header2)) {
        return page << 2 | 3;
      }
      boolean roomLow = header0 == 0 && header1 == 0;
      boolean roomHigh = header2 == 0 && header3 == 0;
      if (mixed ? roomLow || roomHigh : header3 == 0) {
        return NOWHERE;
      }
      page = page + 1 == pages ? 0 : page + 1;
    }
    return NOWHERE;
  }

  /**
   * Where in a slab a header lies, in the page that begins at {@code base}, if no slot of the table
   * is wide. Without branches: which of the four slots it is cannot be predicted, and a wrong guess
   * costs more than three compares.
   */
  static int findInPage(LongBuffer slab, int base, long header) {
    int found =
        (slab.get(base) == header ? 1 : 0)
            | (slab.get(base + 2) == header ? 2 : 0)
            | (slab.get(base + 4) == header ? 4 : 0)
            | (slab.get(base + 6) == header ? 8 : 0);
    return found == 0 ? NOWHERE : base + Slots.WORDS * Integer.numberOfTrailingZeros(found);
  }

  /** Whether a stripe of so many pages could have more. */
  boolean canGrow(int pages) {
    int slabsNow = count;
    return pages < slabsNow * PER_SLAB || (slabsNow < slabs.length && budget.has(slabBytes()));
  }

  /**
   * How many pages a stripe that has filled so many should have. It takes all that others have
   * caused to exist; if that is little, a few slabs are added, about a megabyte at the most.
   */
  int grown(int pages) {
    if (count * PER_SLAB - pages < Math.max(1, pages / GROWTH_DIVISOR)) {
      long atOnce = Math.max(1, SLAB_BYTES_AT_ONCE / slabBytes());
      add((int) Math.min(atOnce, Math.max(1, pages / GROWTH_DIVISOR / PER_SLAB)));
    }
    return count * PER_SLAB;
  }

  /** Adds slabs until so many slots are there, as far as the budget goes. */
  void expect(long slots) {
    long slabsWanted = slots / ((long) stripes * PER_SLAB * Slots.PER_PAGE) + 1;
    add((int) Math.max(0, Math.min(slabs.length, slabsWanted) - count));
  }

  private synchronized void add(int more) {
    for (int i = 0; i < more; i++) {
      int next = count;
      LongBuffer slab = next == slabs.length ? null : budget.take(stripes * STRIPE_WORDS);
      if (slab == null) {
        return;
      }
      slabs[next] = slab;
      count = next + 1;
    }
  }

  int max() {
    return slabs.length * PER_SLAB;
  }

  /** What four pages of every stripe take. */
  long slabBytes() {
    return Memory.bytes((long) stripes * STRIPE_WORDS);
  }
}
