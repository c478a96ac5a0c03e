package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** When units were taken, in the log of a state: (time, units), oldest first; x is their sum. */
final class Stamps {
  private Stamps() {}

  /* In a window that narrows the first entry says since when, from what: (since, -length). */
  private static int first(Log log) {
    return log.size() > 0 && log.amount(0) < 0 ? 1 : 0;
  }

  /*
   * The edge of a window that narrows runs from since - length to `since` in one period, where it
   * meets the edge of the new window; what it passes no longer counts.
   */
  private static long end(Log log, Limit limit, int index) {
    long time = log.time(index);
    long end = time + limit.periodNanos();
    if (first(log) == 0) {
      return end;
    }
    long since = log.time(0);
    long length = -log.amount(0);
    return Math.max(
        end, since + Wide.mulDivCeil(time - since + length, limit.periodNanos(), length));
  }

  /** When the newest entry no longer counts. */
  static long lastEnd(Log log, Limit limit) {
    return end(log, limit, log.size() - 1);
  }

  /** Drops what no longer counts and says how many units are left. */
  static long dropOld(Step step, Limit limit, long nowNanos) {
    Log log = step.log();
    int first = first(log);
    int old = first;
    while (old < log.size() && end(log, limit, old) <= nowNanos) {
      step.x -= log.amount(old);
      old++;
    }
    boolean narrows = first == 1 && old < log.size() && isNarrowing(log, limit, nowNanos);
    if (!narrows) {
      log.dropFirst(old);
    } else if (old > 1) {
      long since = log.time(0);
      long length = log.amount(0);
      log.dropFirst(old - 1);
      log.replaceFirst(since, length);
    }
    /* A slot that lost its entries because all were old may still say their sum. */
    step.x = log.size() == 0 ? 0 : step.x;
    return step.x;
  }

  private static boolean isNarrowing(Log log, Limit limit, long nowNanos) {
    return nowNanos < log.time(0) + limit.periodNanos();
  }

  /** How long the window is now, rounded up: the period, or more while it narrows. */
  static long window(Log log, Limit limit, long nowNanos) {
    if (first(log) == 0 || !isNarrowing(log, limit, nowNanos)) {
      return limit.periodNanos();
    }
    long passed = nowNanos - log.time(0);
    long length = -log.amount(0);
    return passed + length - Wide.mulAddDiv(passed, length, 0, limit.periodNanos());
  }

  /** Lets the window narrow from a length, or not at all if the period is as long. */
  static void narrow(Log log, Limit limit, long nowNanos, long length) {
    log.dropFirst(first(log));
    if (length > limit.periodNanos()) {
      log.prepend(nowNanos, -length);
    }
  }

  /** How long until the oldest entries have freed {@code units}. */
  static long freedIn(Log log, Limit limit, long nowNanos, long units) {
    int i = first(log) - 1;
    for (long freed = 0; freed < units; ) {
      i++;
      freed = Wide.add(freed, log.amount(i));
    }
    return end(log, limit, i) - nowNanos;
  }

  static void add(Log log, Limit limit, long nowNanos, long units) {
    int newest = log.size() - 1;
    int first = first(log);
    boolean sameInstant = newest >= first && log.time(newest) == nowNanos;
    if (sameInstant || log.size() - first >= limit.count()) {
      log.replaceLast(nowNanos, Wide.add(log.amount(newest), units));
    } else {
      log.append(nowNanos, units);
    }
  }

  /** Takes units out of the entry of a time, or out of the newest ones if it is 0. */
  static void remove(Step step, long units, long time) {
    Log log = step.log();
    long left = units;
    for (int i = log.size() - 1; i >= first(log) && left > 0; i--) {
      if (time == 0 || Math.max(1, log.time(i)) == time) {
        long part = Math.min(left, log.amount(i));
        step.x -= part;
        left -= part;
        if (part == log.amount(i)) {
          log.remove(i);
        } else {
          log.set(i, log.time(i), log.amount(i) - part);
        }
      }
    }
  }
}
