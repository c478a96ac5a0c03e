package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Step;

/** What a sliding counter has used when its windows change: fades evenly, within one period. */
final class Fade {
  /*
   * Counts of old windows say nothing about new ones, and the estimate put into a new window would
   * begin its time anew with every change. So x is a count that fades as one of a previous window
   * does, ending at `until`, and y is below 0:
   *     used(now) = ceil(x * (until - now) / period)
   * So many units fade from now on with x = floor(used * period / left), which gives exactly those.
   * Another change scales the time that is left and nothing else: as much is used as before, and a
   * fraction of a unit that has faded is not counted again, however often that happens.
   *
   * The first unit taken ends it. What will be left at the end of this window joins its count, and
   * the rest the count of the previous one: so it goes on to fade along the same line until then,
   * and never counts for less than it would have by more than the rounding of one unit.
   */
  private static final long ON = -1;

  private Fade() {}

  static boolean isOn(Step step) {
    return step.y < 0;
  }

  static long units(Step step, Limit limit, long nowNanos) {
    return Wide.mulDivCeil(step.x, step.until - nowNanos, limit.periodNanos());
  }

  /** Lets the used units of the step fade within so many nanoseconds, at most a period. */
  static void start(Step step, Limit limit, long nowNanos, long nanos) {
    long used = step.usedCeil();
    step.x = used > 0 ? Math.max(1, Wide.mulAddDiv(used, limit.periodNanos(), 0, nanos)) : 0;
    step.y = used > 0 ? ON : 0;
    step.until = used > 0 ? nowNanos + nanos : 0;
  }

  /** Lets counts fade under another limit: a current one in a period, else in what is left. */
  static void begin(Step step, Limit from, Limit to, long nowNanos, boolean wholePeriod) {
    long end = from.windowEnd(nowNanos);
    long of = end - from.windowStart(nowNanos);
    long left = wholePeriod ? of : end - nowNanos;
    start(step, to, nowNanos, Wide.mulDivCeil(to.periodNanos(), left, of));
  }

  /** Goes on under another limit, in the share of a period that is left. */
  static void goOn(Step step, Limit from, Limit to, long nowNanos) {
    long used = units(step, from, nowNanos);
    long left = step.until - nowNanos;
    step.until = nowNanos + Wide.mulAddDiv(to.periodNanos(), left, 0, from.periodNanos());
    if (units(step, to, nowNanos) < used) {
      step.until = nowNanos + Wide.mulDivCeil(to.periodNanos(), left, from.periodNanos());
    }
    if (units(step, to, nowNanos) != used) {
      /* So short a period that a nanosecond more or less of it is a unit. */
      step.used(used, /* part= */ 0, /* of= */ 1);
      start(step, to, nowNanos, step.until - nowNanos);
    }
  }

  static void decide(Step step, Limit limit, long nowNanos, long cost) {
    long used = units(step, limit, nowNanos);
    long left = Math.max(0, limit.count() - used);
    if (cost > limit.count() && !step.forced()) {
      step.denyForever(left, step.until - nowNanos);
      step.moreAfterNanos(waitFor(step, limit, nowNanos, limit.count() - left - 1));
      return;
    }
    if (cost > left && !step.forced()) {
      long wait = waitFor(step, limit, nowNanos, limit.count() - cost);
      step.deny(left, wait, step.until - nowNanos);
      return;
    }
    long less = Math.max(0, left - cost);
    long more = waitFor(step, limit, nowNanos, limit.count() - less - 1);
    if (cost > 0) {
      end(step, limit, nowNanos, used);
      step.x = Wide.add(step.x, cost);
      more = More.ofWindows(step.x, step.y, limit, nowNanos, less);
    }
    step.allow(less, step.until - nowNanos);
    step.moreAfterNanos(more);
    step.ticket(Math.max(1, nowNanos));
  }

  /** How long until at most so much is used. */
  private static long waitFor(Step step, Limit limit, long nowNanos, long room) {
    return step.until - nowNanos - Wide.mulAddDiv(room, limit.periodNanos(), 0, step.x);
  }

  private static void end(Step step, Limit limit, long nowNanos, long used) {
    long end = limit.windowEnd(nowNanos);
    long left = step.until > end ? units(step, limit, end) : 0;
    long length = end - limit.windowStart(nowNanos);
    long slope = Wide.mulDivCeil(step.x, length, limit.periodNanos());
    step.y = Math.min(slope, Wide.mulAddDiv(used - left, length, 0, end - nowNanos));
    step.x = left;
    step.until = limit.nextWindowEnd(nowNanos);
  }

  static void giveBack(Step step, Limit limit, long nowNanos, long cost) {
    if (cost <= 0) {
      return;
    }
    step.used(Math.max(0, units(step, limit, nowNanos) - cost), 0, 1);
    start(step, limit, nowNanos, step.until - nowNanos);
  }
}
