package io.penstock.core.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** The lock and the number of pages of each stripe, in one word. Thread-safe. */
final class Stripes {
  /*
   * The lock is a version. Whoever only reads notes the word, reads, and asks whether the word is
   * still the same: many may do so together, and nobody writes. Whoever wants to write swaps the
   * word it has noted for a locked one, which fails if anybody wrote meanwhile; unlocking makes a
   * new version.
   */
  private static final long LOCKED = 1;
  private static final int PAGES_SHIFT = 1;
  private static final long PAGES_MASK = ((1L << 20) - 1) << PAGES_SHIFT;
  private static final long VERSION_ONE = 1L << 21;
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int SPINS_BEFORE_YIELD = 100;

  private final long[] words;

  Stripes(int count) {
    words = new long[count];
    Arrays.fill(words, (long) Pages.PER_SLAB << PAGES_SHIFT);
  }

  int count() {
    return words.length;
  }

  /** The stripe of a hash: its low bits. */
  int of(long hash) {
    /* The second mask changes nothing but what the compiler knows: the number is small. */
    return (int) hash & (words.length - 1) & (Slots.STRIPES_MAX - 1);
  }

  /** The word of a stripe, to be noted before reading from it. */
  long note(int stripe) {
    return (long) WORDS.getAcquire(words, stripe);
  }

  static boolean isLocked(long word) {
    return (word & LOCKED) != 0;
  }

  static int pageCount(long word) {
    return (int) ((word & PAGES_MASK) >>> PAGES_SHIFT);
  }

  /** Whether nobody has written since the word was noted, so that what was read is whole. */
  boolean isStill(int stripe, long word) {
    VarHandle.acquireFence();
    return (long) WORDS.getOpaque(words, stripe) == word;
  }

  /** Locks a stripe to which nobody has written since the word was noted. */
  boolean tryLock(int stripe, long word) {
    boolean locked = WORDS.compareAndSet(words, stripe, word, word | LOCKED);
    /* What is written now must not be seen before the lock: a reader would take it for whole. */
    VarHandle.storeStoreFence();
    return locked;
  }

  void lock(int stripe) {
    for (int spins = 0; ; spins++) {
      long word = note(stripe);
      if (!isLocked(word) && tryLock(stripe, word)) {
        return;
      }
      pause(spins);
    }
  }

  void unlock(int stripe) {
    WORDS.setRelease(words, stripe, (words[stripe] + VERSION_ONE) & ~LOCKED);
  }

  /** Unlocks a stripe whose pages are as many as when the word was noted. */
  void unlock(int stripe, long word) {
    WORDS.setRelease(words, stripe, word + VERSION_ONE);
  }

  /** Waits until everybody who holds a stripe now has let it go. */
  void awaitHolders() {
    VarHandle.fullFence();
    for (int stripe = 0; stripe < words.length; stripe++) {
      long word = note(stripe);
      /* Whoever holds it may change the number of its pages, and holds it still. */
      for (int spins = 0; isLocked(word) && ((note(stripe) ^ word) & ~PAGES_MASK) == 0; spins++) {
        pause(spins);
      }
    }
  }

  /** The number of pages of a locked stripe. */
  int pageCount(int stripe) {
    return pageCount(words[stripe]);
  }

  void pageCount(int stripe, int pages) {
    words[stripe] = (words[stripe] & ~PAGES_MASK) | ((long) pages << PAGES_SHIFT);
  }

  /* A stripe is held for less than a microsecond, unless its holder was descheduled: then yield. */
  @SuppressWarnings("ThreadPriorityCheck")
  static void pause(int spins) {
    if (spins < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
