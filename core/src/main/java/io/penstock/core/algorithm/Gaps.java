package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;

/** Places of a queue that were given up, in its log: (end, number of places before it), sorted. */
final class Gaps {
  private Gaps() {}

  /** The number of places in all gaps. */
  static long places(Log gaps) {
    long places = 0;
    for (int i = 0; i < gaps.size(); i++) {
      places += gaps.amount(i);
    }
    return places;
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

  /** Takes the earliest place and says when it is. */
  static long takeFirst(Log gaps, Limit limit) {
    long end = gaps.time(0);
    long places = gaps.amount(0);
    if (places == 1) {
      gaps.dropFirst(1);
    } else {
      gaps.replaceFirst(end, places - 1);
    }
    return end - Wide.mulDivCeil(places, limit.unitNumerator(), limit.unitDenominator());
  }

  static void add(Log gaps, long end, long places) {
    gaps.append(end, places);
    for (int i = gaps.size() - 1; i > 0 && gaps.time(i - 1) > end; i--) {
      gaps.set(i, gaps.time(i - 1), gaps.amount(i - 1));
      gaps.set(i - 1, end, places);
    }
  }

  /** Takes out the places behind a tail that has moved back. */
  static void trim(Log gaps, Limit limit, long tail) {
    while (gaps.size() > 0 && gaps.time(gaps.size() - 1) > tail) {
      int last = gaps.size() - 1;
      long end = gaps.time(last);
      long beyond = Wide.mulDivCeil(end - tail, limit.unitDenominator(), limit.unitNumerator());
      if (beyond < gaps.amount(last)) {
        long trimmed = Wide.mulAddDiv(beyond, limit.unitNumerator(), 0, limit.unitDenominator());
        gaps.replaceLast(end - trimmed, gaps.amount(last) - beyond);
        return;
      }
      gaps.dropLast();
    }
  }
}
