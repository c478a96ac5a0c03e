package io.penstock.core.state;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in a table: a mark per page, and copies of stripes for a snapshot. Thread-safe;
 * the marks and the copy of a stripe belong to the thread that holds it.
 */
final class Changes {
  /*
   * Marks: one bit per page of a stripe, and one bit per stripe that has any, so that listing costs
   * what has changed and not what is there.
   *
   * Snapshot: a number is raised. Whoever holds a stripe that was last copied under a lower number
   * sets a copy of it aside before writing; the snapshot takes these copies and makes the rest. A
   * decision reads the number once, after it holds all its stripes, so it is in the snapshot whole
   * or not at all (R8, R9).
   */
  private static final int WORD_BITS = 64;

  private final int wordsPerStripe;
  private final long[] marks;
  private final AtomicLongArray markedStripes;
  private final int[] copiedUnder;
  private final AtomicReferenceArray<long @Nullable []> copies;
  private final AtomicReferenceArray<@Nullable Words> gone;
  private volatile int number;

  Changes(int stripes, int pagesMax) {
    this.wordsPerStripe = (pagesMax + WORD_BITS - 1) / WORD_BITS;
    this.marks = new long[stripes * wordsPerStripe];
    this.markedStripes = new AtomicLongArray((stripes + WORD_BITS - 1) / WORD_BITS);
    this.copiedUnder = new int[stripes];
    this.copies = new AtomicReferenceArray<>(stripes);
    this.gone = new AtomicReferenceArray<>(stripes);
  }

  void mark(int stripe, int place) {
    marks[word(stripe, place)] |= bit(place);
    long stripeBit = 1L << stripe;
    if ((markedStripes.getPlain(stripe / WORD_BITS) & stripeBit) == 0) {
      markedStripes.accumulateAndGet(stripe / WORD_BITS, stripeBit, (a, b) -> a | b);
    }
  }

  boolean isMarked(int stripe, int place) {
    return (marks[word(stripe, place)] & bit(place)) != 0;
  }

  void unmark(int stripe) {
    Arrays.fill(marks, stripe * wordsPerStripe, (stripe + 1) * wordsPerStripe, 0);
  }

  /** The stripes that were marked since this was last asked, 64 to a word. */
  long takeMarkedStripes(int word) {
    return markedStripes.getAndSet(word, 0);
  }

  int markedStripeWords() {
    return markedStripes.length();
  }

  /** The number of the latest snapshot. */
  int number() {
    return number;
  }

  /** Begins a snapshot. One at a time. */
  int raise() {
    int next = number + 1;
    number = next;
    return next;
  }

  /** Whether a copy must be set aside before a decision of that number writes to a held stripe. */
  boolean needsCopy(int stripe, int decisionNumber) {
    return copiedUnder[stripe] < decisionNumber;
  }

  /** Notes a key that was changed and then lost its slot: whoever follows must forget it too. */
  void addGone(int stripe, long hash, long rule) {
    Words words = gone.get(stripe);
    if (words == null) {
      words = new Words();
      gone.set(stripe, words);
    }
    words.addEmpty(hash, rule);
  }

  /** The keys of a held stripe that lost their slots since this was last asked. */
  long[] takeGone(int stripe) {
    Words words = gone.getAndSet(stripe, null);
    return words == null ? new long[0] : words.toArray();
  }

  void setAside(int stripe, int under, long[] copy) {
    copiedUnder[stripe] = under;
    copies.set(stripe, copy);
  }

  long[] takeCopy(int stripe) {
    long[] copy = copies.getAndSet(stripe, null);
    return copy == null ? new long[0] : copy;
  }

  private int word(int stripe, int place) {
    return stripe * wordsPerStripe + place / Slots.PER_PAGE / WORD_BITS;
  }

  private static long bit(int place) {
    return 1L << (place / Slots.PER_PAGE);
  }
}
