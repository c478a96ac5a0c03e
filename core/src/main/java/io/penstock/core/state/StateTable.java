package io.penstock.core.state;

import io.penstock.core.Algorithm.Shape;
import io.penstock.core.Step;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * States of millions of keys in flat memory: no object per key, no garbage per decision.
 * Thread-safe.
 */
public final class StateTable implements States {
  /*
   * The low bits of a key's hash choose a stripe; a stripe is an open-addressing table of its own, in
   * pages of one cache line (Pages), with a lock of its own (Stripes) and seldom more than 64 KB. It
   * grows and forgets idle keys by being written anew (Room, Rebuild), so there is no global resize and
   * no scan over all keys.
   *
   * A decision reads, decides, and locks only to write: denied and looking cost no lock.
   */
  private static final int STRIPE_BYTES = 1 << 16;
  private static final int STRIPES_MAX = 1 << 12;

  private static final AtomicLong ORDER = new AtomicLong();

  private final long order = nextOrder();
  private final Rules rules;
  private final Budget budget;
  private final Pages pages;
  private final Blocks blocks;
  private final @Nullable Changes changes;
  private final @Nullable TrackedTable tracked;
  private final Stripes stripes;
  private final Room room;
  private boolean mixed;
  private final Sweep sweep;

  /** A table that uses at most so many bytes. */
  public static StateTable of(Rules rules, long bytesMax) {
    int stripes = Integer.highestOneBit((int) Math.max(1, bytesMax / STRIPE_BYTES * 2 - 1));
    return new StateTable(rules, bytesMax, Math.min(stripes, STRIPES_MAX), /* tracked= */ false);
  }

  /** A table of which changes can be listed and snapshots taken: see {@link #tracked()}. */
  public static StateTable tracked(Rules rules, long bytesMax, int stripes) {
    return new StateTable(rules, bytesMax, stripes, /* tracked= */ true);
  }

  private StateTable(Rules rules, long bytesMax, int stripes, boolean tracked) {
    this.rules = rules;
    this.budget = new Budget(bytesMax);
    this.pages = new Pages(stripes, budget);
    this.blocks = new Blocks(budget);
    this.stripes = new Stripes(stripes);
    this.room = new Room(this, pages, stripes);
    this.sweep = new Sweep(this, rules);
    this.changes = tracked ? new Changes(stripes, pages.max()) : null;
    this.tracked = changes == null ? null : new TrackedTable(this, changes);
  }

  @Override
  public void play(Turn turn) {
    int stripe = stripe(turn.hash());
    if (turn.rule().shape() == Shape.LOG) {
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
    int place = pages.find(turn.hash(), stripe, Stripes.pageCount(word), mixed);
    long header = place < 0 ? 0 : pages.get(stripe, place, 0);
    readWords(turn.step(), stripe, place, Slots.kind(header));
    if (!stripes.isStill(stripe, word)) {
      return false;
    }
    if (place >= 0 && Slots.kind(header) != turn.kind()) {
      playLocked(turn, stripe);
      return true;
    }
    turn.begin(place < 0 ? null : rule(header));
    turn.play();
    if (!turn.isChanged()) {
      return true;
    }
    if (!stripes.tryLock(stripe, word)) {
      return false;
    }
    keepPlayed(turn, stripe, place);
    return true;
  }

  void playLocked(Turn turn, int stripe) {
    lockForWrite(stripe);
    try {
      load(turn);
      turn.play();
      if (turn.isChanged()) {
        if (reserve(turn)) {
          keep(turn);
        } else {
          turn.full();
        }
      }
    } finally {
      turn.step().log().clear();
      unlock(stripe);
    }
  }

  private void keepPlayed(Turn turn, int stripe, int place) {
    try {
      beforeWrites(stripe, number());
      int target = place >= 0 ? place : insert(turn, stripe);
      if (target >= 0) {
        write(turn, stripe, target);
      } else {
        turn.full();
      }
    } finally {
      unlock(stripe);
    }
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
  public int number() {
    return changes == null ? 0 : changes.number();
  }

  @Override
  public void beforeWrites(int stripe, int number) {
    if (tracked != null) {
      tracked.setAside(stripe, number);
    }
  }

  @Override
  public void unlock(int stripe) {
    stripes.unlock(stripe);
  }

  @Override
  public void load(Turn turn) {
    int stripe = stripe(turn.hash());
    int place = find(turn.hash(), stripe);
    long header = place < 0 ? 0 : pages.get(stripe, place, 0);
    read(turn, stripe, place, header);
    turn.begin(place < 0 ? null : rule(header));
    if (place >= 0 && Slots.kind(header) != turn.kind()) {
      rehome(turn, stripe, header);
    }
  }

  /** Reads a slot, or none, into the step of a turn. */
  void read(Turn turn, int stripe, int place, long header) {
    Step step = turn.step();
    readWords(step, stripe, place, Slots.kind(header));
    blocks.attach(step.log(), place >= 0 && Slots.kind(header) == Slots.LOG ? step.y : 0);
  }

  private void readWords(Step step, int stripe, int place, int kind) {
    step.until = place < 0 ? 0 : pages.get(stripe, place, 1);
    step.x = kind == Slots.ONE ? 0 : pages.get(stripe, place, 2);
    step.y = kind == Slots.ONE ? 0 : pages.get(stripe, place, 3);
  }

  /*
   * A changed rule may need a slot of another kind. The converted state moves there before anything is
   * decided, which changes nothing for the key. If there is no room, it stays, and the turn is full.
   */
  private void rehome(Turn turn, int stripe, long header) {
    Step step = turn.step();
    boolean live = step.until > turn.nowNanos();
    if (Slots.kind(header) == Slots.LOG) {
      step.log().clear();
    }
    step.y = turn.kind() == Slots.LOG ? 0 : step.y;
    int target = live ? insert(turn, stripe) : Pages.NOWHERE;
    if (live && target < 0) {
      return;
    }
    if (live && !step.log().reserve(blocks)) {
      giveUp(stripe, target);
      return;
    }
    giveUp(stripe, find(turn.hash(), stripe));
    if (live) {
      write(turn, stripe, target);
    }
    turn.rehomed();
  }

  /**
   * Leaves a slot that is idle, that no hash matches, and that a search does not take for empty.
   */
  private void giveUp(int stripe, int place) {
    long header = pages.get(stripe, place, 0);
    dropBlock(stripe, place, header);
    pages.put(stripe, place, 0, Slots.givenUp(Slots.kind(header)));
    pages.put(stripe, place, 1, 0);
  }

  /** Frees the block of a slot that is about to be given to another key or to none. */
  void dropBlock(int stripe, int place, long header) {
    if (Slots.kind(header) == Slots.LOG) {
      blocks.free(pages.get(stripe, place, 3));
      pages.put(stripe, place, 3, 0);
    }
  }

  @Override
  public boolean reserve(Turn turn) {
    int stripe = stripe(turn.hash());
    int place = find(turn.hash(), stripe);
    if (place < 0) {
      place = insert(turn, stripe);
      if (place < 0) {
        return false;
      }
      turn.fresh(true);
      pages.put(stripe, place, 0, Slots.header(turn.hash(), turn.kind(), turn.rule().number()));
    }
    if (Slots.kind(pages.get(stripe, place, 0)) != turn.kind()) {
      return false;
    }
    if (turn.kind() == Slots.LOG) {
      boolean room = turn.step().log().reserve(blocks);
      pages.put(stripe, place, 3, turn.step().log().handle());
      return room;
    }
    return true;
  }

  @Override
  public void keep(Turn turn) {
    int stripe = stripe(turn.hash());
    write(turn, stripe, find(turn.hash(), stripe));
  }

  @Override
  public void release(Turn turn) {
    int stripe = stripe(turn.hash());
    if (turn.isFresh()) {
      giveUp(stripe, find(turn.hash(), stripe));
    }
  }

  private void write(Turn turn, int stripe, int place) {
    Step step = turn.step();
    pages.put(stripe, place, 0, Slots.header(turn.hash(), turn.kind(), turn.rule().number()));
    pages.put(stripe, place, 1, step.until);
    if (turn.kind() == Slots.LOG) {
      step.log().settle();
      step.y = blocks.keep(step.log());
    }
    if (turn.kind() != Slots.ONE) {
      pages.put(stripe, place, 2, step.x);
      pages.put(stripe, place, 3, step.y);
    }
    if (turn.isShorter()) {
      room.idleFrom(stripe, step.until);
    }
    if (changes != null) {
      changes.mark(stripe, place);
    }
  }

  /**
   * A slot for a key that has none, or {@link Pages#NOWHERE} if memory is full. It is idle to
   * nobody and found by nobody until {@link #write}.
   */
  private int insert(Turn turn, int stripe) {
    int place = room.find(turn, stripe);
    if (place >= 0) {
      mixed |= turn.kind() != Slots.ONE;
      pages.put(stripe, place, 0, Slots.givenUp(turn.kind()));
      pages.put(stripe, place, 1, turn.nowNanos() + 1);
      if (turn.kind() != Slots.ONE) {
        pages.put(stripe, place, 2, 0);
        pages.put(stripe, place, 3, 0);
      }
    }
    return place;
  }

  private int find(long hash, int stripe) {
    return pages.find(hash, stripe, stripes.pageCount(stripe), mixed);
  }

  /** Brings the lines of a batch near, so that their misses overlap; the sum means nothing. */
  public long touch(long[] hashes, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int stripe = stripe(hashes[i]);
      sum += pages.touch(hashes[i], stripe, Stripes.pageCount(stripes.note(stripe)));
    }
    return sum;
  }

  @Override
  public void sweep(long nowNanos) {
    sweep.run(nowNanos);
  }

  /** The rule a state was written under; null for a slot that was given up. */
  @Nullable Rule rule(long header) {
    return rules.get(Slots.rule(header));
  }

  /** The marks of changes, or null if changes are not tracked. */
  @Nullable Changes changes() {
    return changes;
  }

  /** What a table made by {@link #tracked(Rules, long, int)} offers beyond deciding. */
  public TrackedTable tracked() {
    if (tracked == null) {
      throw new IllegalStateException("changes of this table are not tracked");
    }
    return tracked;
  }

  Pages pages() {
    return pages;
  }

  Stripes stripes() {
    return stripes;
  }

  static long nextOrder() {
    return ORDER.incrementAndGet();
  }

  @Override
  public long order() {
    return order;
  }

  @Override
  public int stripe(long hash) {
    return stripes.of(hash);
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
