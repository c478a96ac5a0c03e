package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** What becomes of a queue under another limit: its tail and its gaps lie as many units ahead. */
final class QueueChange {
  private QueueChange() {}

  static void change(Step step, Limit from, Limit to, long nowNanos) {
    if (Interval.isSame(from, to)) {
      return;
    }
    Gaps.dropPassed(step.log(), from, nowNanos);
    Debt.used(step, from, nowNanos);
    if (Debt.isArrears(step, to)) {
      /* There are no places so far ahead, and so none between them. */
      Tail.held(step, from, nowNanos);
      step.log().dropFirst(step.log().size());
      Debt.carry(step, to, nowNanos);
      return;
    }
    scale(step.log(), from, to, nowNanos);
    Debt.carry(step, to, nowNanos);
    trim(step.log(), to, step.until);
  }

  /** Brings the gaps to another interval, as a debt of that many units. */
  private static void scale(Log gaps, Limit from, Limit to, long nowNanos) {
    int size = gaps.size();
    for (int i = 0; i < size; i++) {
      long ahead = Scale.up(from, to, gaps.time(i) - nowNanos);
      if (ahead < Wide.MAX) {
        gaps.append(nowNanos + ahead, gaps.amount(i));
      }
    }
    gaps.dropFirst(size);
  }

  /** Takes out the places of gaps behind the tail. */
  private static void trim(Log gaps, Limit limit, long tail) {
    while (gaps.size() > 0 && gaps.time(gaps.size() - 1) > tail) {
      int last = gaps.size() - 1;
      long end = gaps.time(last);
      long beyond = Wide.mulDivCeil(end - tail, limit.unitDenominator(), limit.unitNumerator());
      if (beyond < gaps.amount(last)) {
        long nanos = Wide.mulAddDiv(beyond, limit.unitNumerator(), 0, limit.unitDenominator());
        gaps.replaceLast(end - nanos, gaps.amount(last) - beyond);
        return;
      }
      gaps.dropLast();
    }
  }
}
