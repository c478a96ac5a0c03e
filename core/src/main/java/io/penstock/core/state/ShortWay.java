package io.penstock.core.state;

import io.penstock.core.Clock;
import io.penstock.core.algorithm.Gcra;

/**
 * The shortest way to the commonest decision: a cost from 1 to the capacity, for a key that is
 * there already, under a {@link Rule#isQuick quick} rule. Thread-safe.
 *
 * <p>The answer is the next tat if the cost fits, minus the wait if it does not, and {@link
 * #UNUSUAL} if this is a case for {@link StateTable#play}. Both decide by the same arithmetic and
 * on the same slot; this one has no buffers to fill.
 */
public final class ShortWay {
  public static final long UNUSUAL = Long.MIN_VALUE;

  private final Stripes stripes;
  private final Cells cells;
  private final Pages pages;

  ShortWay(Stripes stripes, Cells cells) {
    this.stripes = stripes;
    this.cells = cells;
    this.pages = cells.pages();
  }

  /** Takes at an instant, which is not before the rule began. */
  public long take(long anyHash, Rule rule, long nowNanos, long cost) {
    long hash = Slots.normal(anyHash);
    int stripe = stripes.of(hash);
    for (int spins = 0; ; spins++) {
      long word = stripes.note(stripe);
      int place = find(hash, rule, stripe, word);
      long next = next(stripe, place, rule, nowNanos, cost);
      if (isKept(stripe, word, place, next)) {
        return next;
      }
      Stripes.pause(spins);
    }
  }

  /**
   * Takes now, reading the clock when the slot is found: reading it waits for what comes before and
   * delays what comes after, so it had better not come first.
   */
  public long take(long anyHash, Rule rule, Clock clock, long cost) {
    long hash = Slots.normal(anyHash);
    int stripe = stripes.of(hash);
    for (int spins = 0; ; spins++) {
      long word = stripes.note(stripe);
      int place = find(hash, rule, stripe, word);
      long nowNanos = Math.max(clock.nanos(), rule.sinceNanos());
      long next = next(stripe, place, rule, nowNanos, cost);
      if (isKept(stripe, word, place, next)) {
        return next;
      }
      Stripes.pause(spins);
    }
  }

  private int find(long hash, Rule rule, int stripe, long word) {
    long header = Slots.header(hash, Slots.ONE, rule.number());
    return Stripes.isLocked(word) || rule.hasEnd()
        ? Pages.NOWHERE
        : cells.findOne(header, stripe, Stripes.pageCount(word));
  }

  private long next(int stripe, int place, Rule rule, long nowNanos, long cost) {
    return place < 0
        ? UNUSUAL
        : Gcra.next(pages.get(stripe, place, 1), rule.limit(), nowNanos, cost);
  }

  /** Keeps the next tat, or finds that there is none to keep; false if others are writing. */
  private boolean isKept(int stripe, long word, int place, long next) {
    if (Stripes.isLocked(word)) {
      return false;
    }
    if (next < 0) {
      return stripes.isStill(stripe, word);
    }
    if (!stripes.tryLock(stripe, word)) {
      return false;
    }
    pages.put(stripe, place, 1, next);
    stripes.unlock(stripe, word);
    return true;
  }
}
