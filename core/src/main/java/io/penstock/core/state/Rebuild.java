package io.penstock.core.state;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Writes a stripe anew: idle slots go, and the rest spreads over more pages if there is much of it.
 * Confined to the thread that holds the stripe.
 */
final class Rebuild {
  /*
   * A stripe is small (64 KB, unless the table may use more than 256 MB), so this is one short
   * pause for its keys and for nobody else: growth and expiry are never a scan over all keys. Wide
   * slots go first: after that, single slots fill what is left, and no pair is spoilt.
   */
  private static final int ENTRY_WORDS = 4;

  private final Cells cells;
  private final Pages pages;
  private final Turn turn = new Turn();
  private long[] entries = new long[ENTRY_WORDS * 64];
  private final BitSet marked = new BitSet();
  private int count;
  private int slots;
  private long nextIdle;
  private int askedNumber;
  private boolean askedOver;

  Rebuild(Cells cells) {
    this.cells = cells;
    this.pages = cells.pages();
  }

  /** Reads what is live in a stripe. */
  void gather(int stripe, int pageCount, long nowNanos) {
    count = 0;
    slots = 0;
    nextIdle = Long.MAX_VALUE;
    askedNumber = 0;
    askedOver = false;
    for (int place = 0; place < pageCount * Slots.PER_PAGE; place++) {
      long header = pages.get(stripe, place, 0);
      boolean wide = Slots.isWide(header);
      if (header != 0 && !dropIfIdle(stripe, place, header, nowNanos)) {
        add(stripe, place, header, wide);
      }
      place += wide ? 1 : 0;
    }
  }

  private void add(int stripe, int place, long header, boolean wide) {
    if ((count + 1) * ENTRY_WORDS > entries.length) {
      entries = Arrays.copyOf(entries, 2 * entries.length);
    }
    int at = count++ * ENTRY_WORDS;
    marked.set(at, cells.isMarked(stripe, place));
    entries[at] = header;
    entries[at + 1] = pages.get(stripe, place, 1);
    entries[at + 2] = wide ? pages.get(stripe, place, 2) : 0;
    entries[at + 3] = wide ? pages.get(stripe, place, 3) : 0;
    slots += wide ? 2 : 1;
  }

  /** A state whose rule has ended is idle only if it is so under the rule that followed. */
  private boolean dropIfIdle(int stripe, int place, long header, long nowNanos) {
    if (cells.isMarked(stripe, place)) {
      return false;
    }
    long until = pages.get(stripe, place, 1);
    /* One nanosecond left: held for a turn of this very check, which has not written it yet. */
    if (until != nowNanos + 1 && isOver(Slots.rule(header), nowNanos)) {
      until = until(stripe, place, header, nowNanos);
    }
    if (until > nowNanos) {
      nextIdle = Math.min(nextIdle, until);
      return false;
    }
    cells.dropBlock(stripe, place, header);
    return true;
  }

  /* Nearly all slots of a stripe carry the same rule: ask about it once. */
  private boolean isOver(int number, long nowNanos) {
    if (number != askedNumber) {
      Rule rule = cells.ruleNumbered(number);
      askedNumber = number;
      askedOver = rule != null && rule.isOver(nowNanos);
    }
    return askedOver;
  }

  private long until(int stripe, int place, long header, long nowNanos) {
    Rule rule = requireNonNull(cells.rule(header));
    turn.of(Slots.hash(header, stripe), rule.latest(nowNanos), nowNanos);
    try {
      cells.read(turn, stripe, place, header);
      turn.convert(rule);
      return turn.step().until;
    } finally {
      turn.step().log().clear();
    }
  }

  /** How many slots the live states take. */
  int slots() {
    return slots;
  }

  /** The earliest instant at which one of the live states may become idle. */
  long nextIdle() {
    return nextIdle;
  }

  /** Writes what was gathered over so many pages, of which the first {@code before} were in use. */
  void scatter(int stripe, int before, int pageCount) {
    Changes changes = cells.changes();
    if (changes != null) {
      changes.unmark(stripe);
    }
    pages.clear(stripe, before);
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < count; i++) {
        long header = entries[i * ENTRY_WORDS];
        if (Slots.isWide(header) == (pass == 0)) {
          put(stripe, i * ENTRY_WORDS, emptyPlace(header, stripe, pageCount));
        }
      }
    }
  }

  private int emptyPlace(long header, int stripe, int pageCount) {
    int step = Slots.isWide(header) ? 2 : 1;
    int slotCount = pageCount * Slots.PER_PAGE;
    int place = Slots.home(header, pageCount) * Slots.PER_PAGE;
    while (pages.get(stripe, place, 0) != 0 || !isFree(stripe, place, step)) {
      place += step;
      if (place == slotCount) {
        place = 0;
      }
    }
    return place;
  }

  /** For a wide key both slots; for a single one, not the second half of a wide key. */
  private boolean isFree(int stripe, int place, int step) {
    return step == 2
        ? pages.get(stripe, place + 1, 0) == 0
        : (place & 1) == 0 || !Slots.isWide(pages.get(stripe, place - 1, 0));
  }

  private void put(int stripe, int at, int place) {
    pages.put(stripe, place, 0, entries[at]);
    pages.put(stripe, place, 1, entries[at + 1]);
    if (Slots.isWide(entries[at])) {
      pages.put(stripe, place, 2, entries[at + 2]);
      pages.put(stripe, place, 3, entries[at + 3]);
    }
    Changes changes = cells.changes();
    if (changes != null && marked.get(at)) {
      changes.mark(stripe, place);
    }
  }
}
