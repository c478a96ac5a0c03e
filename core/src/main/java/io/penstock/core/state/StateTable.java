package io.penstock.core.state;

import io.penstock.core.Step;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * States of millions of keys in flat memory: no object per key, no garbage per decision.
 * Thread-safe.
 */
public final class StateTable implements States {
  /*
   * The low bits of a key's hash choose a stripe; a stripe is an open-addressing table of its own,
   * in pages of one cache line (Pages), with a lock of its own (Stripes) and seldom more than 64
   * KB. It grows and forgets idle keys by being written anew (Room, Rebuild), so there is no global
   * resize and no scan over all keys.
   *
   * A decision reads, decides, and locks only to write: denied and looking cost no lock.
   */

  private static final int STRIPE_BYTES = 1 << 16;
  private static final int STRIPES_MIN = 1 << 4;
  private static final int STRIPES_MAX = 1 << 12;

  private static final AtomicLong ORDER = new AtomicLong();

  private final long order = nextOrder();
  private final Budget budget;
  private final Stripes stripes;
  private final Cells cells;
  private final Pages pages;
  private final Sweep sweep;
  private final @Nullable TrackedTable tracked;

  /** A table that uses at most so many bytes. */
  public static StateTable of(Rules rules, long bytesMax) {
    long wanted = Math.min(STRIPES_MAX, bytesMax / STRIPE_BYTES);
    int stripes = Integer.highestOneBit((int) Math.max(STRIPES_MIN, 2 * wanted - 1));
    return new StateTable(rules, bytesMax, stripes, /* isTracked= */ false);
  }

  /** A table of which changes can be listed: see {@link #tracked()}. */
  public static StateTable tracked(Rules rules, long bytesMax, int stripes) {
    return new StateTable(rules, bytesMax, stripes, /* isTracked= */ true);
  }

  private StateTable(Rules rules, long bytesMax, int stripeCount, boolean isTracked) {
    this.budget = new Budget(bytesMax);
    this.stripes = new Stripes(stripeCount);
    this.cells = new Cells(rules, stripes, budget, isTracked);
    this.pages = cells.pages();
    this.sweep = new Sweep(this, rules);
    Changes changes = cells.changes();
    this.tracked = changes == null ? null : new TrackedTable(this, cells, changes);
  }

  @Override
  public void play(Turn turn) {
    int stripe = stripe(turn.hash());
    if (turn.kind() == Slots.LOG || Latest.isFor(turn)) {
      playLocked(turn, stripe);
      return;
    }
    for (int spins = 0; !isPlayed(turn, stripe); spins++) {
      Stripes.pause(spins);
    }
  }

  /** Decides without locking, unless there is something to write; false if others interfered. */
  private boolean isPlayed(Turn turn, int stripe) {
    long word = stripes.note(stripe);
    if (Stripes.isLocked(word)) {
      return false;
    }
    /* Read early, although needed last, so that two ways to memory are gone at the same time. */
    long listedUnder = listedUnder(stripe);
    int place = cells.find(turn.hash(), stripe, Stripes.pageCount(word));
    long header = place < 0 ? 0 : pages.get(stripe, place, 0);
    boolean sameKind = place < 0 || Slots.kind(header) == turn.kind();
    cells.miss(turn, stripe, place);
    if (sameKind) {
      readUnlocked(turn, stripe, place);
    }
    if (!stripes.isStill(stripe, word)) {
      return false;
    }
    if (!sameKind) {
      playLocked(turn, stripe);
      return true;
    }
    if (!turn.begin(place < 0 ? null : cells.rule(header))) {
      return true;
    }
    turn.play();
    if (!turn.isChanged()) {
      return true;
    }
    if (!stripes.tryLock(stripe, word)) {
      return false;
    }
    keepPlayed(turn, stripe, place, listedUnder);
    return true;
  }

  /* A wide state at an odd slot was never there: somebody is writing, and it will be noticed. */
  private void readUnlocked(Turn turn, int stripe, int place) {
    Step step = turn.step();
    boolean wide = place >= 0 && turn.kind() != Slots.ONE && (place & 1) == 0;
    step.until = place < 0 ? 0 : pages.get(stripe, place, 1);
    step.x = wide ? pages.get(stripe, place, 2) : 0;
    step.y = wide ? pages.get(stripe, place, 3) : 0;
  }

  private void keepPlayed(Turn turn, int stripe, int place, long listedUnder) {
    try {
      long number = number();
      if (listedUnder < number) {
        beforeWrites(stripe, number);
      }
      int target = place >= 0 ? place : cells.insert(turn, stripe);
      if (target >= 0) {
        cells.write(turn, stripe, target);
      } else {
        turn.full(true);
      }
    } finally {
      unlock(stripe);
    }
  }

  void playLocked(Turn turn, int stripe) {
    lockForWrite(stripe);
    try {
      cells.miss(turn, stripe, cells.find(turn.hash(), stripe));
      load(turn);
      if (turn.isOutdated()) {
        return;
      }
      turn.play();
      if (turn.isChanged()) {
        if (reserve(turn)) {
          keep(turn);
        } else {
          release(turn);
          turn.unkept();
        }
      }
    } finally {
      turn.step().log().clear();
      unlock(stripe);
    }
  }

  /**
   * Brings the lines of a batch near. Where they lie is worked out before the first is read: a loop
   * that does nothing but read has many reads under way at once.
   */
  public void touch(Takes takes) {
    for (int i = 0; i < takes.size(); i++) {
      takes.lines[i] = line(takes.hashes[i]);
    }
    long sum = 0;
    for (int i = 0; i < takes.size(); i++) {
      sum += pages.first(takes.lines[i]);
    }
    takes.touched(sum);
  }

  /** Brings the line of a key near; what it answers means nothing, but must be used. */
  public long touch(long hash) {
    return listedUnder(stripe(hash)) + pages.first(line(hash));
  }

  /** The line a search for the hash starts at; any, while its stripe is written anew. */
  private long line(long hash) {
    int stripe = stripe(hash);
    long word = stripes.note(stripe);
    return Stripes.isLocked(word) ? 0 : Pages.line(hash, stripe, Stripes.pageCount(word));
  }

  private long listedUnder(int stripe) {
    return tracked == null ? 0 : tracked.listedUnder(stripe);
  }

  @Override
  public int stripe(long hash) {
    return stripes.of(hash);
  }

  /** How many stripes there are: what is known of a hash in a listing depends on it. */
  public int stripeCount() {
    return stripes.count();
  }

  @Override
  public void lock(int stripe) {
    stripes.lock(stripe);
  }

  /** Locks a stripe for a write that concerns no other stripe. */
  void lockForWrite(int stripe) {
    lock(stripe);
    beforeWrites(stripe, number());
  }

  @Override
  public void unlock(int stripe) {
    stripes.unlock(stripe);
  }

  @Override
  public long number() {
    Changes changes = cells.changes();
    return changes == null ? 0 : changes.number();
  }

  @Override
  public void beforeWrites(int stripe, long number) {
    if (tracked != null) {
      tracked.setAside(stripe, number);
    }
  }

  @Override
  public void load(Turn turn) {
    cells.load(turn, stripe(turn.hash()));
  }

  @Override
  public boolean reserve(Turn turn) {
    return cells.reserve(turn, stripe(turn.hash()));
  }

  @Override
  public void keep(Turn turn) {
    cells.keep(turn, stripe(turn.hash()));
  }

  @Override
  public void release(Turn turn) {
    cells.release(turn, stripe(turn.hash()));
  }

  @Override
  public void sweep(long nowNanos) {
    sweep.run(nowNanos);
  }

  /** Nobody decides on this any more: numbers of rules need not wait for its states. */
  public void end() {
    sweep.end();
  }

  /** The short way into this table, or null if its changes are tracked. */
  public @Nullable ShortWay shortWay() {
    return tracked == null ? new ShortWay(stripes, cells) : null;
  }

  /** What a table made by {@link #tracked(Rules, long, int)} offers beyond deciding. */
  public TrackedTable tracked() {
    if (tracked == null) {
      throw new IllegalStateException("changes of this table are not tracked");
    }
    return tracked;
  }

  Cells cells() {
    return cells;
  }

  @Override
  public long order() {
    return order;
  }

  static long nextOrder() {
    return ORDER.incrementAndGet();
  }

  /** Whether one log may grow to so many entries. */
  public boolean hasRoomForLog(long entries) {
    return Blocks.hasSizeFor(entries) && bytesForLog(entries) <= budget.max();
  }

  /** The bytes that a table must be allowed so that one log can grow to so many entries. */
  public long bytesForLog(long entries) {
    long blocks = Blocks.bytesFor(entries);
    return Math.max(Budget.wholeFor(blocks), pages.slabBytes() + blocks);
  }

  @Override
  public long bytes() {
    return budget.used();
  }

  @Override
  public long bytesMax() {
    return budget.max();
  }
}
