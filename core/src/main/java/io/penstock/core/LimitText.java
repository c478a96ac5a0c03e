package io.penstock.core;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text form of a limit, taken apart. Confined to the thread that parses. */
final class LimitText {
  static final long NONE = Long.MIN_VALUE;

  private static final String UNITS = "ms s min hour day week month year";
  private static final String FORM =
      "COUNT/PERIOD[ burst N][ ZONE] or COUNT concurrent lease PERIOD, PERIOD one of "
          + UNITS
          + " or a number and one of them";
  private static final Pattern RATE =
      Pattern.compile(
          "(-?\\d+)/(\\d*)([a-z]+)( burst (-?\\d+))?( (?!burst)([A-Za-z+-][\\w/+:-]*))?");
  private static final Pattern CONCURRENT =
      Pattern.compile("(-?\\d+) concurrent lease (\\d*)([a-z]+)");
  private static final long HOURS_PER_DAY = 24;

  long count;
  long amount = 1;
  Limit.Unit unit = Limit.Unit.S;
  long burst = NONE;
  @Nullable ZoneId zone;
  boolean concurrent;
  private @Nullable String written;

  private LimitText() {}

  static LimitText parse(String text) {
    Matcher rate = RATE.matcher(text);
    Matcher held = CONCURRENT.matcher(text);
    LimitText parts = new LimitText();
    parts.written = text;
    if (rate.matches()) {
      parts.count = number(text, "count", rate.group(1));
      parts.period(text, rate.group(2), rate.group(3));
      if (rate.group(5) != null) {
        parts.burst = Checks.atLeast("burst", number(text, "burst", rate.group(5)), 1);
      }
      parts.zone = rate.group(7) == null ? null : zone(rate.group(7));
      parts.checkZone();
    } else if (held.matches()) {
      parts.count = number(text, "count", held.group(1));
      parts.period(text, held.group(2), held.group(3));
      parts.concurrent = true;
    } else {
      throw Checks.bad("limit", quote(text), FORM);
    }
    return parts;
  }

  static LimitText rate(long count, Duration period) {
    LimitText parts = new LimitText();
    parts.count = count;
    parts.length("period", period);
    return parts;
  }

  static LimitText concurrent(long count, Duration lease) {
    LimitText parts = new LimitText();
    parts.count = count;
    parts.length("lease", lease);
    parts.concurrent = true;
    return parts;
  }

  static LimitText of(Limit limit) {
    LimitText parts = new LimitText();
    parts.count = limit.count();
    parts.amount = limit.amount();
    parts.unit = limit.unit();
    parts.zone = limit.zone();
    parts.concurrent = limit.isConcurrent();
    return parts;
  }

  LimitText burst(long burst) {
    if (concurrent) {
      throw Checks.bad("burst", burst, "none with concurrent");
    }
    this.burst = burst;
    return this;
  }

  /** The text as it was written, or the shortest text that reads back as these parts. */
  String print() {
    if (written != null) {
      return written;
    }
    String period = amount == 1 ? unit.toString() : amount + unit.toString();
    if (concurrent) {
      return count + " concurrent lease " + period;
    }
    return count
        + "/"
        + period
        + (burst == NONE ? "" : " burst " + burst)
        + (zone == null ? "" : " " + zone);
  }

  private void length(String name, Duration length) {
    long nanos = length.isNegative() ? 0 : Checks.nanos(name, length);
    if (nanos < Limit.Unit.MS.nanos || nanos % Limit.Unit.MS.nanos != 0) {
      throw Checks.bad(name, length, "whole milliseconds, from 1 ms to 73 years");
    }
    for (Limit.Unit candidate : Limit.Unit.values()) {
      if (candidate.compareTo(Limit.Unit.HOUR) <= 0 && nanos % candidate.nanos == 0) {
        unit = candidate;
        amount = nanos / candidate.nanos;
      }
    }
  }

  private void period(String text, String digits, String name) {
    amount = digits.isEmpty() ? 1 : number(text, "period", digits);
    for (Limit.Unit candidate : Limit.Unit.values()) {
      if (candidate.toString().equals(name)) {
        unit = candidate;
        return;
      }
    }
    throw Checks.bad("period", quote(digits + name), "a unit of " + UNITS);
  }

  private void checkZone() {
    boolean withinDay = unit.compareTo(Limit.Unit.DAY) < 0;
    if (zone != null && withinDay && amount > HOURS_PER_DAY * Limit.Unit.HOUR.nanos / unit.nanos) {
      throw Checks.bad(
          "period", amount + unit.toString(), "at most a day, or days and longer, with a zone");
    }
  }

  private static ZoneId zone(String id) {
    try {
      return ZoneId.of(id);
    } catch (DateTimeException e) {
      throw Checks.bad("zone", quote(id), "a time zone such as UTC or Europe/Paris");
    }
  }

  private static long number(String text, String name, String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw Checks.bad(name, digits, ">= 1, of at most 18 digits, in " + quote(text));
    }
  }

  private static String quote(String text) {
    return String.format(Locale.ROOT, "\"%s\"", text);
  }
}
