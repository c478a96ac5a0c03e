package io.penstock.core.state;

import io.penstock.core.Clock;
import io.penstock.core.algorithm.Gcra;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

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
  public long take(long hash, Rule rule, long nowNanos, long cost) {
    return take(hash, rule, /* clock= */ null, nowNanos, cost * rule.intervalNanos());
  }

  /** Takes one unit now. */
  public long takeOne(long hash, Rule rule, Clock clock) {
    return take(hash, rule, clock, rule.sinceNanos(), rule.intervalNanos());
  }

  /*
   * The clock is read between the lock and the state: reading it waits for what comes before and
   * delays what comes after, and whatever is known by then has to be kept meanwhile. Whether the
   * rule has an end is asked behind it (Rule.hold).
   *
   * The hash need not be normal (Slots). One that is not has a header that no slot has, so its key
   * is not found here, and StateTable takes over.
   */
  private long take(
      long hash, Rule rule, @Nullable Clock clock, long earliestNanos, long costNanos) {
    int stripe = stripes.of(hash);
    long header = rule.header(hash);
    for (int spins = 0; ; spins++) {
      long word = stripes.note(stripe);
      if (!Stripes.isLocked(word)) {
        long nowNanos = clock == null ? earliestNanos : Math.max(clock.nanos(), earliestNanos);
        if (rule.hasEnd()) {
          return UNUSUAL;
        }
        int place = Slots.home(hash, Stripes.pageCount(word)) * Slots.PER_PAGE;
        LongBuffer slab = pages.slab(place);
        int at = Pages.findInPage(slab, Pages.index(stripe, place), header);
        if (at < 0 || cells.isMixed()) {
          place = cells.findOne(header, stripe, Stripes.pageCount(word));
          if (place < 0) {
            return UNUSUAL;
          }
          slab = pages.slab(place);
          at = Pages.index(stripe, place);
        }
        long tat = slab.get(at + 1);
        long next = Gcra.next(tat, rule.capacityNanos(), nowNanos, costNanos);
        if (next < 0) {
          if (stripes.isStill(stripe, word)) {
            return next;
          }
        } else if (stripes.tryLock(stripe, word)) {
          slab.put(at + 1, next);
          stripes.unlock(stripe, word);
          return next;
        }
      }
      Stripes.pause(spins);
    }
  }

  /**
   * Takes from one key after the other, from an index on; answers the index of the first that is a
   * case for {@link StateTable#play}, or how many there are.
   */
  public int takeAll(Takes takes, int from, Rule rule) {
    int index = from;
    while (index < takes.size()) {
      int end = takes.runEnd(index, rule.capacity());
      boolean taken =
          end == index + 1
              ? isTaken(takes, index, rule)
              : end > index && isTaken(takes, index, end, rule);
      if (!taken) {
        return index;
      }
      index = end;
    }
    return index;
  }

  private boolean isTaken(Takes takes, int index, Rule rule) {
    long hash = KeyHash.slot(takes.hashes[index], rule.slot());
    long outcome = take(hash, rule, takes.nowNanos, takes.costs[index]);
    takes.outcomes[index] = outcome;
    return outcome != UNUSUAL;
  }

  /** Takes several times from one key, which is one write; false if this is an unusual case. */
  private boolean isTaken(Takes takes, int from, int end, Rule rule) {
    long hash = KeyHash.slot(takes.hashes[from], rule.slot());
    int stripe = stripes.of(hash);
    for (int spins = 0; ; spins++) {
      long word = stripes.note(stripe);
      if (rule.hasEnd()) {
        return false;
      }
      if (!Stripes.isLocked(word)) {
        int place = place(rule.header(hash), stripe, Stripes.pageCount(word));
        if (place < 0) {
          return false;
        }
        long before = pages.get(stripe, place, 1);
        long tat = takes.play(from, end, rule, before);
        if (tat == before ? stripes.isStill(stripe, word) : stripes.tryLock(stripe, word)) {
          if (tat != before) {
            pages.put(stripe, place, 1, tat);
            stripes.unlock(stripe, word);
          }
          return true;
        }
      }
      Stripes.pause(spins);
    }
  }

  private int place(long header, int stripe, int pageCount) {
    int home = Slots.home(header, pageCount) * Slots.PER_PAGE;
    int base = Pages.index(stripe, home);
    int at = cells.isMixed() ? Pages.NOWHERE : Pages.findInPage(pages.slab(home), base, header);
    return at < 0 ? cells.findOne(header, stripe, pageCount) : home + (at - base) / Slots.WORDS;
  }
}
