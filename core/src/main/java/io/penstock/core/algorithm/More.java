package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** How long until more is left than now, of each sort of state; 0 if everything is left. */
final class More {
  private More() {}

  /** Of a debt, one unit more than is left. */
  static long ofDebt(Limit limit, long debt, long x, long left) {
    long used = limit.capacity() - left;
    return used == 0 ? 0 : drainedIn(limit, debt, x, used - 1);
  }

  /** How long until a debt is at most so many units; not above 0 if it is so now. */
  static long drainedIn(Limit limit, long debt, long x, long units) {
    long denominator = limit.unitDenominator();
    return denominator == 1 && units <= limit.capacity()
        ? debt - units * limit.unitNumerator()
        : debt - Wide.mulAddDiv(units, limit.unitNumerator(), x, denominator);
  }

  /** Of a queue, in which so many places are free. */
  static long ofQueue(Step step, Limit limit, long nowNanos, long free) {
    return free == limit.capacity()
        ? 0
        : Tail.waitFor(step, limit, nowNanos, limit.capacity() - free);
  }

  /** Of a window that slides over another. */
  static long ofWindows(long current, long previous, Limit limit, long nowNanos, long left) {
    return left == limit.count()
        ? 0
        : fallenIn(current, previous, limit, nowNanos, limit.count() - left - 1);
  }

  /*
   * The estimate falls to `room` at end - floor((room - current) * length / previous); if the
   * current count alone is too much, one window later, when it has become the previous one.
   */
  static long fallenIn(long current, long previous, Limit limit, long now, long room) {
    long end = limit.windowEnd(now);
    if (current <= room) {
      return end - now - Wide.mulAddDiv(room - current, end - limit.windowStart(now), 0, previous);
    }
    long nextEnd = limit.nextWindowEnd(now);
    return nextEnd - now - Wide.mulAddDiv(room, nextEnd - end, 0, current);
  }

  /** Of stamps, which may be more than the limit has by now. */
  static long ofStamps(Step step, Limit limit, long nowNanos) {
    long units = Math.max(1, step.x - limit.count() + 1);
    return step.x > 0 ? Stamps.freedIn(step.log(), limit, nowNanos, units) : 0;
  }

  /** Of leases, which may be more than the most by now. */
  static long ofLeases(Log leases, long nowNanos, long held, long most) {
    if (held > most) {
      return Leases.freedIn(leases, nowNanos, held - most + 1);
    }
    long first = Long.MAX_VALUE;
    for (int i = 0; i < leases.size(); i++) {
      first = leases.time(i) > nowNanos ? Math.min(first, leases.time(i)) : first;
    }
    return held > 0 ? first - nowNanos : 0;
  }
}
