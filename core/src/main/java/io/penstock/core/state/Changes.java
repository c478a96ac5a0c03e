package io.penstock.core.state;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in a table: a mark per slot, and what an ended generation still has to list.
 * Thread-safe; the marks and the copy of a stripe belong to the thread that holds it.
 */
final class Changes {
  /*
   * Marks: one bit per slot of a stripe, and one bit per stripe that has any, so that listing costs
   * what has changed and not what is there. What is known of a stripe lies together, its marks
   * last: a decision and the listing of it touch one line each, not one per array.
   *
   * Generations: a number is raised to end one. A decision reads the number once, after it holds
   * all its stripes, and thereby belongs to one generation with all its states. Whoever holds a
   * stripe that was last listed under a lower number sets its marked states aside before writing;
   * listing takes these copies and makes the rest (R9).
   */
  private static final int WORD_BITS = 64;

  /* Words of a stripe. How many of its slots are marked, and above that how many keys are gone. */
  private static final int LISTED_UNDER = 0;
  private static final int COUNTS = 1;
  private static final int MARKED_WORDS = 2;
  private static final int MARKS = 3;
  private static final int GONE_SHIFT = 32;
  private static final long MARKED_MASK = (1L << GONE_SHIFT) - 1;

  private final int wordsPerStripe;
  private final long[] words;
  private final AtomicLongArray markedStripes;
  private final AtomicReferenceArray<long @Nullable []> copies;
  private final AtomicReferenceArray<@Nullable Words> gone;
  private volatile long number;

  Changes(int stripes, int pagesMax) {
    int markWords = (pagesMax * Slots.PER_PAGE + WORD_BITS - 1) / WORD_BITS;
    this.wordsPerStripe = MARKS + markWords;
    this.words = new long[Math.multiplyExact(stripes, wordsPerStripe)];
    this.markedStripes = new AtomicLongArray((stripes + WORD_BITS - 1) / WORD_BITS);
    this.copies = new AtomicReferenceArray<>(stripes);
    this.gone = new AtomicReferenceArray<>(stripes);
  }

  void mark(int stripe, int place) {
    int first = stripe * wordsPerStripe;
    int word = first + MARKS + place / WORD_BITS;
    long marks = words[word];
    long bit = 1L << place;
    if ((marks & bit) == 0) {
      words[word] = marks | bit;
      words[first + COUNTS]++;
      /* A stripe may have room for far more marks than it has slots by now: only these are read. */
      words[first + MARKED_WORDS] = Math.max(words[first + MARKED_WORDS], place / WORD_BITS + 1);
    }
    markStripe(stripe);
  }

  private void markStripe(int stripe) {
    long bit = 1L << stripe;
    if ((markedStripes.getPlain(stripe / WORD_BITS) & bit) == 0) {
      markedStripes.accumulateAndGet(stripe / WORD_BITS, bit, (a, b) -> a | b);
    }
  }

  boolean isMarked(int stripe, int place) {
    return (words[stripe * wordsPerStripe + MARKS + place / WORD_BITS] & (1L << place)) != 0;
  }

  /** The first marked place of a stripe from a place on, or -1. */
  int nextMarked(int stripe, int from) {
    int first = stripe * wordsPerStripe;
    for (int word = from / WORD_BITS; word < words[first + MARKED_WORDS]; word++) {
      long left = words[first + MARKS + word];
      left &= word == from / WORD_BITS ? -1L << from : -1L;
      if (left != 0) {
        return word * WORD_BITS + Long.numberOfTrailingZeros(left);
      }
    }
    return -1;
  }

  /** How many slots of a stripe are marked. */
  int markedCount(int stripe) {
    return (int) words[stripe * wordsPerStripe + COUNTS];
  }

  void unmark(int stripe) {
    int first = stripe * wordsPerStripe;
    int marks = first + MARKS;
    Arrays.fill(words, marks, marks + (int) words[first + MARKED_WORDS], 0);
    words[first + COUNTS] &= ~MARKED_MASK;
    words[first + MARKED_WORDS] = 0;
  }

  /** The number under which a stripe was last listed, if it is still the same when it is held. */
  long listedUnder(int stripe) {
    return words[stripe * wordsPerStripe + LISTED_UNDER];
  }

  /** Whether any stripe was marked since they were last taken. */
  boolean hasMarkedStripes() {
    for (int word = 0; word < markedStripes.length(); word++) {
      if (markedStripes.get(word) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The stripes that were marked since this was last asked, 64 to a word. */
  long takeMarkedStripes(int word) {
    return markedStripes.getAndSet(word, 0);
  }

  int markedStripeWords() {
    return markedStripes.length();
  }

  /** The number of the generation that has not ended. */
  long number() {
    return number;
  }

  /** Ends a generation. One at a time. */
  long raise() {
    long ended = number;
    number = ended + 1;
    return ended;
  }

  /** Whether a held stripe has anything to list. */
  boolean hasAny(int stripe) {
    return words[stripe * wordsPerStripe + COUNTS] != 0;
  }

  /** Whether a held stripe may still hold marks of generations before that number. */
  boolean isBehind(int stripe, long decisionNumber) {
    return listedUnder(stripe) < decisionNumber;
  }

  /** Says that what a held stripe had to list before that number is copied. */
  void listed(int stripe, long under) {
    words[stripe * wordsPerStripe + LISTED_UNDER] = under;
    if (hasAny(stripe)) {
      unmark(stripe);
    }
  }

  /** Notes a key that was changed and then lost its slot: whoever follows must forget it too. */
  void addGone(int stripe, long hash, long rule) {
    Words lost = gone.get(stripe);
    if (lost == null) {
      lost = new Words();
      gone.set(stripe, lost);
    }
    lost.addEmpty(hash, rule);
    words[stripe * wordsPerStripe + COUNTS] += 1L << GONE_SHIFT;
    markStripe(stripe);
  }

  /** The keys of a held stripe that lost their slots since this was last asked, or null. */
  @Nullable Words takeGone(int stripe) {
    int counts = stripe * wordsPerStripe + COUNTS;
    if (words[counts] >>> GONE_SHIFT == 0) {
      return null;
    }
    words[counts] &= MARKED_MASK;
    return gone.getAndSet(stripe, null);
  }

  void setAside(int stripe, long[] copy) {
    copies.set(stripe, copy);
  }

  /** What was set aside of a held stripe, or null; its stripe has marks of its own by now. */
  long @Nullable [] takeCopy(int stripe) {
    if (hasAny(stripe)) {
      markStripe(stripe);
    }
    return copies.getAndSet(stripe, null);
  }
}
