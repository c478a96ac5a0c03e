package io.penstock.core;

import io.penstock.core.algorithm.Wide;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The aligned windows of a limit: counted from the Unix epoch, or calendar windows in a zone.
 * Thread-safe.
 *
 * <p>Calendar windows of n days, weeks, months or years count from 1970 (weeks from Monday, 5
 * January 1970), each from local midnight to local midnight, so a day with a clock change is 23 or
 * 25 hours long. Shorter windows with a zone count from local midnight, and the last one ends at
 * the next.
 */
final class Windows {
  /** A window, or the day that holds it, and the end of the one after it. Immutable. */
  record Span(long start, long end, long nextEnd) {}

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long FIRST_MONDAY = 4;
  private static final int FIRST_YEAR = 1970;
  private static final long MONTHS_PER_YEAR = 12;

  private final long lengthNanos;
  private final long amount;
  private final Limit.Unit unit;
  private final @Nullable ZoneId zone;

  /*
   * The span asked for last: calendars are slow and make garbage, and nearly every question is
   * about now. Windows shorter than a day are plain arithmetic within theirs.
   */
  private volatile Span latest = new Span(0, 0, 0);

  private Windows(Limit limit, @Nullable ZoneId zone) {
    this.lengthNanos = limit.periodNanos();
    this.amount = limit.amount();
    this.unit = limit.unit();
    this.zone = zone;
  }

  static Windows of(Limit limit) {
    boolean byDay = limit.unit().compareTo(Limit.Unit.DAY) >= 0;
    ZoneId zone = limit.zone();
    return new Windows(limit, zone == null && byDay ? ZoneOffset.UTC : zone);
  }

  long start(long nowNanos) {
    if (zone == null) {
      return aligned(nowNanos);
    }
    Span span = span(zone, nowNanos);
    return isWithinDay() ? startIn(span.start, nowNanos) : span.start;
  }

  long end(long nowNanos) {
    if (zone == null) {
      return aligned(nowNanos) + lengthNanos;
    }
    Span span = span(zone, nowNanos);
    return isWithinDay() ? endIn(span.start, span.end, nowNanos) : span.end;
  }

  long nextEnd(long nowNanos) {
    if (zone == null) {
      return Wide.add(aligned(nowNanos) + lengthNanos, lengthNanos);
    }
    Span span = span(zone, nowNanos);
    if (!isWithinDay()) {
      return span.nextEnd;
    }
    long end = endIn(span.start, span.end, nowNanos);
    if (end > span.end) {
      Span next = calendar(zone, end);
      return endIn(next.start, next.end, end);
    }
    return end < span.end ? endIn(span.start, span.end, end) : endIn(end, span.nextEnd, end);
  }

  private boolean isWithinDay() {
    return unit.compareTo(Limit.Unit.DAY) < 0;
  }

  private long aligned(long nowNanos) {
    return nowNanos - Math.floorMod(nowNanos, lengthNanos);
  }

  private long startIn(long dayStart, long nowNanos) {
    return nowNanos - (nowNanos - dayStart) % lengthNanos;
  }

  private long endIn(long dayStart, long dayEnd, long nowNanos) {
    long end = Math.min(startIn(dayStart, nowNanos) + lengthNanos, dayEnd);
    /* Some zones once set clocks back across midnight: then the next midnight is already past. */
    return Math.max(end, nowNanos + 1);
  }

  private Span span(ZoneId zone, long nowNanos) {
    Span span = latest;
    if (nowNanos < span.start || nowNanos >= span.end) {
      span = calendar(zone, nowNanos);
      latest = span;
    }
    return span;
  }

  private Span calendar(ZoneId zone, long nowNanos) {
    LocalDate today = date(zone, nowNanos);
    if (isWithinDay()) {
      long end = midnight(zone, today.plusDays(1));
      /* Samoa once skipped a day: the date after tomorrow is what the calendar says it is then. */
      long nextEnd = midnight(zone, date(zone, end).plusDays(1));
      return new Span(midnight(zone, today), end, nextEnd);
    }
    LocalDate start = firstDay(today);
    LocalDate end = plusPeriod(start);
    return new Span(midnight(zone, start), midnight(zone, end), midnight(zone, plusPeriod(end)));
  }

  private LocalDate firstDay(LocalDate day) {
    LocalDate epoch = LocalDate.of(FIRST_YEAR, 1, 1);
    long years = (long) day.getYear() - FIRST_YEAR;
    long months = years * MONTHS_PER_YEAR + day.getMonthValue() - 1;
    long sinceMonday = day.toEpochDay() - FIRST_MONDAY;
    return switch (unit) {
      case DAY -> LocalDate.ofEpochDay(alignedDown(day.toEpochDay(), amount));
      case WEEK -> LocalDate.ofEpochDay(FIRST_MONDAY + alignedDown(sinceMonday, 7 * amount));
      case MONTH -> epoch.plusMonths(alignedDown(months, amount));
      default -> epoch.plusYears(alignedDown(years, amount));
    };
  }

  private LocalDate plusPeriod(LocalDate day) {
    return switch (unit) {
      case DAY -> day.plusDays(amount);
      case WEEK -> day.plusWeeks(amount);
      case MONTH -> day.plusMonths(amount);
      default -> day.plusYears(amount);
    };
  }

  private static long alignedDown(long value, long step) {
    return Math.floorDiv(value, step) * step;
  }

  private static LocalDate date(ZoneId zone, long nanos) {
    return Instant.ofEpochSecond(0, nanos).atZone(zone).toLocalDate();
  }

  private static long midnight(ZoneId zone, LocalDate day) {
    long seconds = day.atStartOfDay(zone).toEpochSecond();
    return seconds < Long.MAX_VALUE / NANOS_PER_SECOND
        ? seconds * NANOS_PER_SECOND
        : Long.MAX_VALUE;
  }
}
