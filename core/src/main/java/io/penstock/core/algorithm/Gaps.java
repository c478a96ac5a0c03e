package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;

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

  /** The first place of a gap. */
  static long start(Log gaps, Limit limit, int index) {
    return gaps.time(index) - nanos(limit, gaps.amount(index));
  }

  static long nanos(Limit limit, long places) {
    return Wide.mulDivCeil(places, limit.unitNumerator(), limit.unitDenominator());
  }

  /** How many places in a row begin within so many nanoseconds of the first. */
  static long placesBefore(Limit limit, long nanos) {
    return nanos <= 0
        ? 0
        : Wide.mulAddDiv(nanos - 1, limit.unitDenominator(), 0, limit.unitNumerator()) + 1;
  }

  /** Drops the places whose time has passed. */
  static void dropPassed(Log gaps, Limit limit, long nowNanos) {
    while (gaps.size() > 0) {
      long ahead = Math.max(0, gaps.time(0) - nowNanos);
      long left = Wide.mulAddDiv(ahead, limit.unitDenominator(), 0, limit.unitNumerator());
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
  static long take(Log gaps, Limit limit, int index, long places) {
    long start = start(gaps, limit, index);
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
  /** Where so many places begin that are in no gap, from an instant on. */
  static long outside(Log gaps, Limit limit, long first, long places) {
    long slack = Retreat.slack(limit);
    long nanos = nanos(limit, places) - slack;
    long start = first;
    for (int i = 0; i < gaps.size(); i++) {
      boolean inside = gaps.time(i) - slack > start && start(gaps, limit, i) < start + nanos;
      start = inside ? gaps.time(i) : start;
    }
    return start;
  }

  /** Adds a gap; with a neighbour it becomes one. */
  static void add(Log gaps, Limit limit, long start, long places) {
    long end = start + nanos(limit, places);
    gaps.append(end, places);
    int at = gaps.size() - 1;
    for (; at > 0 && gaps.time(at - 1) > end; at--) {
      gaps.set(at, gaps.time(at - 1), gaps.amount(at - 1));
      gaps.set(at - 1, end, places);
    }
    join(gaps, limit, at);
    join(gaps, limit, at - 1);
  }

  /* Fractions of a nanosecond may move the start of the whole: then they stay two. */
  private static void join(Log gaps, Limit limit, int index) {
    if (index < 0 || index + 1 >= gaps.size()) {
      return;
    }
    long places = gaps.amount(index) + gaps.amount(index + 1);
    long end = gaps.time(index + 1);
    if (end - nanos(limit, places) == start(gaps, limit, index)) {
      gaps.set(index + 1, end, places);
      gaps.remove(index);
    }
  }
}
