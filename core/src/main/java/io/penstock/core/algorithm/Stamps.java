package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Log;
import io.penstock.core.Step;

/** When units were taken, in the log of a state: (time, units), oldest first; x is their sum. */
final class Stamps {
  private Stamps() {}

  /** Drops what is a whole period old and says how many units are left. */
  static long dropOld(Step step, Limit limit, long nowNanos) {
    Log log = step.log();
    while (log.size() > 0 && log.time(0) + limit.periodNanos() <= nowNanos) {
      step.x -= log.amount(0);
      log.dropFirst(1);
    }
    return step.x;
  }

  /** How long until the oldest entries have freed {@code units}. */
  static long freedIn(Log log, Limit limit, long nowNanos, long units) {
    long freed = 0;
    int i = -1;
    while (freed < units) {
      i++;
      freed += log.amount(i);
    }
    return log.time(i) + limit.periodNanos() - nowNanos;
  }

  static void add(Log log, Limit limit, long nowNanos, long units) {
    int newest = log.size() - 1;
    boolean sameInstant = newest >= 0 && log.time(newest) == nowNanos;
    if (sameInstant || log.size() >= limit.count()) {
      log.replaceLast(nowNanos, Wide.add(log.amount(newest), units));
    } else {
      log.append(nowNanos, units);
    }
  }

  /** Takes units out of the entry of a time, or out of the newest ones if it is 0. */
  static void remove(Step step, long units, long time) {
    Log log = step.log();
    long left = units;
    for (int i = log.size() - 1; i >= 0 && left > 0; i--) {
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
