package io.penstock.core.state;

import io.penstock.core.algorithm.Gcra;
import java.util.Arrays;

/**
 * What is to be taken from many keys at one instant, in order, and what came of it. A reused
 * buffer. Confined to the thread that decides.
 */
public final class Takes {
  long[] hashes;
  long[] costs;
  long[] outcomes;
  long[] lines;
  long nowNanos;
  private int size;

  /* Written so that reading memory ahead is not optimised away; nobody needs the value. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  public Takes(int capacity) {
    hashes = new long[capacity];
    costs = new long[capacity];
    outcomes = new long[capacity];
    lines = new long[capacity];
  }

  public void clear() {
    size = 0;
  }

  public void add(long hash, long cost) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * size);
      costs = Arrays.copyOf(costs, 2 * size);
      outcomes = Arrays.copyOf(outcomes, 2 * size);
      lines = new long[2 * size];
    }
    hashes[size] = hash;
    costs[size] = cost;
    size++;
  }

  /** Says when all of it happens. */
  public void at(long nanos) {
    nowNanos = nanos;
  }

  public long nowNanos() {
    return nowNanos;
  }

  public int size() {
    return size;
  }

  public long hash(int index) {
    return hashes[index];
  }

  public long cost(int index) {
    return costs[index];
  }

  /** What {@link ShortWay} answered, or {@link ShortWay#UNUSUAL}. */
  public long outcome(int index) {
    return outcomes[index];
  }

  public void outcome(int index, long outcome) {
    outcomes[index] = outcome;
  }

  /** Takes what was read ahead, so that reading it is not optimised away. */
  void touched(long sum) {
    touched += sum;
  }

  /**
   * The end of the run of takes from one key, each of which may fit, that begins at an index; the
   * index itself if what is asked there is something else.
   */
  int runEnd(int from, long capacity) {
    int end = from;
    while (end < size && hashes[end] == hashes[from] && costs[end] > 0 && costs[end] <= capacity) {
      end++;
    }
    return end;
  }

  /** Decides a run of takes from one key, one after the other; answers its tat after them. */
  long play(int from, int end, Rule rule, long tatBefore) {
    long tat = tatBefore;
    for (int i = from; i < end; i++) {
      long costNanos = costs[i] * rule.intervalNanos();
      long next = Gcra.next(tat, rule.capacityNanos(), nowNanos, costNanos);
      outcomes[i] = next;
      tat = next < 0 ? tat : next;
    }
    return tat;
  }
}
