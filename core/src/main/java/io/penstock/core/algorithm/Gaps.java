package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** Places of a queue that were given up, in its log: (end, number of places before it), sorted. */
final class Gaps {
  /** The index of no gap. */
  static final int NONE = -1;

  private Gaps() {}

  /** The number of places in all gaps. */
  static long places(Log gaps) {
    long places = 0;
    for (int i = 0; i < gaps.size(); i++) {
      places += gaps.amount(i);
    }
    return places;
  }

  /** When the first place of a gap is told to run. */
  static long start(Step step, Limit limit, int index) {
    return Places.told(step, limit, first(step, limit, index));
  }

  private static long first(Step step, Limit limit, int index) {
    return behind(step, limit, index) + step.log().amount(index);
  }

  /** The number of places between a gap and the tail. */
  static long behind(Step step, Limit limit, int index) {
    return Places.at(step, limit, step.log().time(index));
  }

  /** Drops the places whose time has passed. */
  static void dropPassed(Step step, Limit limit, long nowNanos) {
    Log gaps = step.log();
    while (gaps.size() > 0) {
      long left = Places.ahead(step, limit, nowNanos) - behind(step, limit, 0);
      if (left >= gaps.amount(0)) {
        return;
      }
      if (left > 0) {
        gaps.replaceFirst(gaps.time(0), left);
        return;
      }
      gaps.dropFirst(1);
    }
  }

  /** The earliest gap with so many places. */
  static int wideEnough(Log gaps, long places) {
    for (int i = 0; i < gaps.size(); i++) {
      if (gaps.amount(i) >= places) {
        return i;
      }
    }
    return NONE;
  }

  /** Takes the first places of a gap and says when they are. Others move up behind it. */
  static long take(Step step, Limit limit, int index, long places) {
    long start = start(step, limit, index);
    Log gaps = step.log();
    int size = gaps.size();
    for (int i = 0; i < size; i++) {
      long left = gaps.amount(i) - (i == index ? places : 0);
      if (left > 0) {
        gaps.append(gaps.time(i), left);
      }
    }
    gaps.dropFirst(size);
    return start;
  }

  /*
   * What was carried over from another algorithm has no places of its own: all its tickets tell the
   * first one. No place may be given up twice, for two would get it.
   */
  /** The first of so many places that are in no gap, from a place on. */
  static long outside(Step step, Limit limit, long first, long places) {
    long start = first;
    for (int i = 0; i < step.log().size(); i++) {
      long behind = behind(step, limit, i);
      boolean inside = behind < start && first(step, limit, i) > start - places;
      start = inside ? behind : start;
    }
    return start;
  }

  /** Adds a gap that is so many places before the tail; with a neighbour it becomes one. */
  static void add(Step step, Limit limit, long behind, long places) {
    Log gaps = step.log();
    long end = Places.told(step, limit, behind);
    gaps.append(end, places);
    int at = gaps.size() - 1;
    for (; at > 0 && gaps.time(at - 1) > end; at--) {
      gaps.set(at, gaps.time(at - 1), gaps.amount(at - 1));
      gaps.set(at - 1, end, places);
    }
    join(step, limit, at);
    join(step, limit, at - 1);
  }

  private static void join(Step step, Limit limit, int index) {
    Log gaps = step.log();
    if (index < 0 || index + 1 >= gaps.size()) {
      return;
    }
    if (first(step, limit, index + 1) == behind(step, limit, index)) {
      long places = gaps.amount(index) + gaps.amount(index + 1);
      gaps.set(index + 1, gaps.time(index + 1), places);
      gaps.remove(index);
    }
  }
}
