package io.penstock.core;

import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The entries, (time, amount) pairs, of a state that is longer than three words: oldest first, in a
 * ring that its store keeps. An index counts from the oldest. Confined to the thread that decides.
 *
 * <p>{@link #append} and {@link #dropFirst} take effect in the store only when the step is kept, so
 * a denied check leaves nothing behind; {@link #set} writes through, and what it wrote over is put
 * back if the step is not kept after all.
 */
public final class Log {
  /** Finds room for more entries. */
  public interface Space {
    /** Re-homes {@code log} so that it holds {@code entries}; false when memory is full. */
    boolean grow(Log log, int entries);
  }

  private static final int WORDS_PER_ENTRY = 2;
  private static final int PENDING_MIN = 2;
  private static final LongBuffer NOWHERE = LongBuffer.allocate(0);

  private long handle;
  private LongBuffer words = NOWHERE;
  private int base;
  private int capacity;
  private int head;
  private int stored;

  private boolean changed;
  private boolean replacedFirst;
  private long firstTime;
  private long firstAmount;
  private int dropped;
  private int droppedLast;
  private long dropUntil;
  private int pending;
  private long[] pendingTimes = new long[PENDING_MIN];
  private long[] pendingAmounts = new long[PENDING_MIN];
  private final Overwritten overwritten = new Overwritten();

  Log() {}

  public int size() {
    return stored - dropped - droppedLast + pending;
  }

  public long time(int index) {
    if (replacedFirst && index == 0) {
      return firstTime;
    }
    int at = dropped + index;
    return at < kept() ? words.get(word(at)) : pendingTimes[at - kept()];
  }

  public long amount(int index) {
    if (replacedFirst && index == 0) {
      return firstAmount;
    }
    int at = dropped + index;
    return at < kept() ? words.get(word(at) + 1) : pendingAmounts[at - kept()];
  }

  public void set(int index, long time, long amount) {
    if (replacedFirst && index == 0) {
      firstTime = time;
      firstAmount = amount;
      return;
    }
    int at = dropped + index;
    if (at < kept()) {
      overwritten.push(at, words.get(word(at)), words.get(word(at) + 1));
      words.put(word(at), time);
      words.put(word(at) + 1, amount);
    } else {
      pendingTimes[at - kept()] = time;
      pendingAmounts[at - kept()] = amount;
    }
    changed = true;
  }

  private void undo() {
    while (overwritten.pop()) {
      int at = word(overwritten.index());
      words.put(at, overwritten.time());
      words.put(at + 1, overwritten.amount());
    }
  }

  /** Adds an entry behind the newest. */
  public void append(long time, long amount) {
    if (pending == pendingTimes.length) {
      pendingTimes = Arrays.copyOf(pendingTimes, 2 * pending);
      pendingAmounts = Arrays.copyOf(pendingAmounts, 2 * pending);
    }
    pendingTimes[pending] = time;
    pendingAmounts[pending] = amount;
    pending++;
  }

  /** Puts another entry in the place of the newest. */
  public void replaceLast(long time, long amount) {
    dropLast();
    append(time, amount);
  }

  /** Puts another entry in the place of the oldest. */
  public void replaceFirst(long time, long amount) {
    if (dropped == kept()) {
      set(0, time, amount);
    } else {
      replacedFirst = true;
      firstTime = time;
      firstAmount = amount;
    }
  }

  /** Adds an entry before the oldest, once between one {@link #settle} and the next. */
  public void prepend(long time, long amount) {
    dropped--;
    replacedFirst = true;
    firstTime = time;
    firstAmount = amount;
  }

  public void dropFirst(int entries) {
    Checks.between("entries", entries, 0, size());
    replacedFirst &= entries == 0;
    int fromStored = Math.min(entries, kept() - dropped);
    dropped += fromStored;
    int fromPending = entries - fromStored;
    pending -= fromPending;
    System.arraycopy(pendingTimes, fromPending, pendingTimes, 0, pending);
    System.arraycopy(pendingAmounts, fromPending, pendingAmounts, 0, pending);
  }

  public void dropLast() {
    Checks.atLeast("size", size(), 1);
    if (pending > 0) {
      pending--;
    } else {
      droppedLast++;
      replacedFirst &= dropped < kept();
    }
  }

  /** Drops, once the step is kept, every entry with a time up to {@code time}. */
  public void dropUntil(long time) {
    dropUntil = time;
  }

  /** Removes one entry; what is older moves up. Writes through. */
  public void remove(int index) {
    for (int i = index; i > 0; i--) {
      set(i, time(i - 1), amount(i - 1));
    }
    dropFirst(1);
  }

  /** Points this view at a ring of {@code capacity} entries that starts at word {@code base}. */
  public void attach(LongBuffer words, int base, int capacity) {
    undo();
    use(words, base, capacity);
  }

  private void use(LongBuffer words, int base, int capacity) {
    this.words = words;
    this.base = base;
    this.capacity = capacity;
  }

  /** The store's name for the ring; 0 for none. */
  public long handle() {
    return handle;
  }

  public void handle(long handle) {
    this.handle = handle;
  }

  /** What the ring holds: {@code stored} entries, the oldest at {@code head}. */
  public void contents(int head, int stored) {
    this.head = head;
    this.stored = stored;
    forget();
  }

  /** An empty log without a ring. */
  public void clear() {
    handle = 0;
    attach(NOWHERE, 0, 0);
    contents(0, 0);
  }

  /** Whether anything was appended, dropped or set since the last {@link #settle}. */
  public boolean isChanged() {
    return changed || replacedFirst || dropped != 0 || droppedLast > 0 || pending > 0;
  }

  /** Undoes every change since the last {@link #settle}. */
  public void forget() {
    undo();
    changed = false;
    replacedFirst = false;
    dropped = 0;
    droppedLast = 0;
    dropUntil = 0;
    pending = 0;
  }

  /** Makes sure that {@link #settle} has room; false when memory is full. */
  public boolean reserve(Space space) {
    int needed = dropUntil == 0 ? size() : liveAfterDrop() + pending;
    return needed <= capacity || space.grow(this, needed);
  }

  private void settleFirst() {
    if (replacedFirst) {
      replacedFirst = false;
      words.put(word(dropped), firstTime);
      words.put(word(dropped) + 1, firstAmount);
      changed = true;
    }
  }

  private int liveAfterDrop() {
    int live = 0;
    for (int i = dropped; i < kept(); i++) {
      live += words.get(word(i)) > dropUntil ? 1 : 0;
    }
    return live;
  }

  /** Carries out appends and drops in the ring; {@link #reserve} comes first. */
  public void settle() {
    overwritten.clear();
    if (dropped < 0) {
      head = head == 0 ? capacity - 1 : head - 1;
      stored++;
      dropped = 0;
    }
    settleFirst();
    if (dropUntil > 0) {
      compact();
    }
    head = capacity == 0 ? 0 : (head + dropped) % capacity;
    stored -= dropped + droppedLast;
    int appended = pending;
    forget();
    for (int i = 0; i < appended; i++) {
      words.put(word(stored), pendingTimes[i]);
      words.put(word(stored) + 1, pendingAmounts[i]);
      stored++;
    }
  }

  private void compact() {
    int left = 0;
    for (int i = dropped; i < kept(); i++) {
      long time = words.get(word(i));
      if (time > dropUntil) {
        words.put(word(left) + 1, words.get(word(i) + 1));
        words.put(word(left), time);
        left++;
      }
    }
    stored = left;
    dropped = 0;
    droppedLast = 0;
  }

  /** Copies the stored entries to another ring and continues there, with head 0. */
  public void moveTo(LongBuffer target, int targetBase, int targetCapacity) {
    for (int i = 0; i < stored; i++) {
      target.put(targetBase + WORDS_PER_ENTRY * i, words.get(word(i)));
      target.put(targetBase + WORDS_PER_ENTRY * i + 1, words.get(word(i) + 1));
    }
    use(target, targetBase, targetCapacity);
    head = 0;
  }

  public int head() {
    return head;
  }

  public int stored() {
    return stored;
  }

  private int kept() {
    return stored - droppedLast;
  }

  private int word(int index) {
    int place = head + index;
    return base + WORDS_PER_ENTRY * (place < capacity ? place : place - capacity);
  }
}
