package io.penstock.core.algorithm;

import io.penstock.core.Limit;
import io.penstock.core.Step;

/** Places of a queue by number: the first is an interval before the tail. */
final class Places {
  /*
   * All places lie whole intervals before the tail, which is exact; each is told in nanoseconds,
   * rounded up. So what was told is rounded only once: the place is the one that is told so, and
   * how far it is from others is never a sum of what was rounded. An interval is a nanosecond or
   * more, so no two places are told alike.
   */
  private Places() {}

  /** When a place is told to run. */
  static long told(Step step, Limit limit, long place) {
    return step.until
        - Wide.mulAddDiv(place, limit.unitNumerator(), step.x, limit.unitDenominator());
  }

  /*
   * The last place up to half of what an interval has above a nanosecond behind the instant: what
   * was told is found exactly, and what was moved by less with a change of the policy too.
   */
  /** The place that was told to run at an instant; none is 0. */
  static long at(Step step, Limit limit, long nanos) {
    long numerator = limit.unitNumerator();
    long denominator = limit.unitDenominator();
    long rest = numerator - 1 - (numerator - denominator) / 2 - step.x;
    return Wide.mulAddDiv(Math.max(0, step.until - nanos), denominator, rest, numerator);
  }

  /** How many places are told to run now or later. */
  static long ahead(Step step, Limit limit, long nowNanos) {
    long denominator = limit.unitDenominator();
    long nanos = Math.max(0, step.until - nowNanos);
    return Wide.mulAddDiv(nanos, denominator, denominator - 1 - step.x, limit.unitNumerator());
  }

  /** How many places in a row have not passed, if the first one was told to run at the ticket. */
  static long counted(long places, long ticket, Limit limit, long nowNanos) {
    long since = nowNanos - ticket;
    long passed =
        since <= 0
            ? 0
            : Wide.mulAddDiv(since - 1, limit.unitDenominator(), 0, limit.unitNumerator()) + 1;
    return Math.max(0, places - passed);
  }

  /*
   * The place may be told a nanosecond later than here. Where an interval is below 3 ns that might
   * be taken for another one: then what is not kept is lost, as if it had passed.
   */
  /** What tells the place that is so many behind another that was told. */
  static long ticketOf(Limit limit, long told, long places) {
    long numerator = limit.unitNumerator();
    long denominator = limit.unitDenominator();
    boolean clear = denominator == 1 || numerator / denominator > 2;
    return clear ? told + Wide.mulAddDiv(places, numerator, 0, denominator) : 1;
  }
}
