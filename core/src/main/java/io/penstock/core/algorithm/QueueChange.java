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
    Gaps.dropPassed(step, from, nowNanos);
    Debt.used(step, from, nowNanos);
    if (Debt.isArrears(step, to)) {
      /* There are no places so far ahead, and so none between them. */
      Tail.held(step, from, nowNanos);
      step.log().dropFirst(step.log().size());
      Debt.carry(step, to, nowNanos);
      return;
    }
    Log gaps = step.log();
    int size = gaps.size();
    for (int i = 0; i < size; i++) {
      gaps.append(Gaps.behind(step, from, i), gaps.amount(i));
    }
    gaps.dropFirst(size);
    Debt.carry(step, to, nowNanos);
    for (int i = 0; i < size; i++) {
      gaps.append(Places.told(step, to, gaps.time(i)), gaps.amount(i));
    }
    gaps.dropFirst(size);
  }
}
