package io.penstock.cli.simulate;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import java.util.Locale;

/** What an algorithm did, in a sentence or two made from its numbers. */
final class Reading {
  private final Trial trial;
  private final long startNanos;
  private final Limit limit;
  private final Peak peak;

  private Reading(Trial trial, long startNanos) {
    this.trial = trial;
    this.startNanos = startNanos;
    this.limit = trial.tightest();
    this.peak = trial.peak(limit);
  }

  static String of(Trial trial, long startNanos) {
    Reading reading = new Reading(trial, startNanos);
    return reading.passed() + " " + reading.denied();
  }

  private String passed() {
    if (peak.units() == 0) {
      return "Let nothing through.";
    }
    if (peak.units() > limit.count()) {
      return String.format(
          Locale.ROOT,
          "Let %d through in %s around %s, %.2f× the limit: %s.",
          peak.units(),
          period(limit),
          TimeText.instant(peak.middleNanos()),
          peak.ratio(limit.count()),
          cause());
    }
    if (trial.isQueue()) {
      return String.format(
          Locale.ROOT,
          "Ran at most %d in any %s and %d in any %s, after waits of up to %s.",
          peak.units(),
          period(limit),
          trial.tenthPeak().units(),
          TimeText.length(trial.tenthNanos()),
          TimeText.length(trial.waits().maxNanos()));
    }
    return "Never let more than " + peak.units() + " through in any " + period(limit) + ".";
  }

  private String cause() {
    Algorithm algorithm = trial.policy().algorithmOf(limit);
    if (algorithm == Algorithm.FIXED_WINDOW) {
      return split() + ", a burst at the boundary";
    }
    if (algorithm == Algorithm.SLIDING_WINDOW_COUNTER) {
      return split() + ", as it takes the window before for evenly spread";
    }
    if (algorithm == Algorithm.LEAKY_QUEUE) {
      return trial.policy().limits().size() > 1
          ? "its waits are those of another limit"
          : "what costs several units runs at once";
    }
    return peak.units() > limit.capacity()
        ? "a bucket holds " + limit.capacity() + " and refills meanwhile"
        : "a bucket holds " + limit.capacity();
  }

  /** How much of the peak lies on either side of the boundary of two windows. */
  private String split() {
    long boundary = limit.windowEnd(startNanos + peak.firstNanos()) - startNanos;
    long before = trial.admitted().units(peak.firstNanos(), boundary);
    return String.format(
        Locale.ROOT,
        "%d before the window ended at %s and %d after",
        before,
        TimeText.instant(boundary),
        peak.units() - before);
  }

  private String denied() {
    if (trial.deniedRequests() == 0) {
      return "Denied nothing.";
    }
    long first = trial.denied().firstNanos();
    long last = trial.denied().lastNanos();
    if (first == last) {
      return "Denied " + trial.deniedRequests() + " at " + TimeText.instant(first) + ".";
    }
    Denial longest = trial.longestDenial();
    return String.format(
        Locale.ROOT,
        "Denied %d from %s to %s, at most %d on end (%s).",
        trial.deniedRequests(),
        TimeText.instant(first),
        TimeText.instant(last),
        longest.requests(),
        TimeText.length(longest.lengthNanos()));
  }

  /** The period of a limit with its number: {@code 1min}, {@code 15min}. */
  static String period(Limit limit) {
    String period = limit.period();
    return Character.isDigit(period.charAt(0)) ? period : "1" + period;
  }
}
