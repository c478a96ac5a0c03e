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
 * the next. A day that has begun goes on where clocks are set back to the day before.
 */
final class Windows {
  /** A window, or the day that holds it, and the end of the one after it. Immutable. */
  record Span(long start, long end, long nextEnd) {}

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long FIRST_MONDAY = 4;
  private static final int FIRST_YEAR = 1970;
  private static final long MONTHS_PER_YEAR = 12;

  private static final int SPANS_MAX = 8;

  private final long lengthNanos;
  private final boolean withinDay;
  private final long amount;
  private final Limit.Unit unit;
  private final @Nullable ZoneId zone;

  /*
   * The spans worked out last, the latest first: calendars are slow and make garbage, and nearly
   * every question is about now, or about the end of a block or an override. Of two threads that
   * add one each, one is worked out again. Windows shorter than a day are plain arithmetic within
   * theirs.
   */
  private volatile Span[] spans = {};

  private Windows(Limit limit, @Nullable ZoneId zone) {
    this.lengthNanos = limit.periodNanos();
    this.withinDay = limit.unit().compareTo(Limit.Unit.DAY) < 0;
    this.amount = withinDay ? 1 : limit.amount();
    this.unit = withinDay ? Limit.Unit.DAY : limit.unit();
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
    return withinDay ? startIn(span.start, nowNanos) : span.start;
  }

  long end(long nowNanos) {
    if (zone == null) {
      long start = aligned(nowNanos);
      return start < 0 ? start + lengthNanos : Wide.add(start, lengthNanos);
    }
    Span span = span(zone, nowNanos);
    return withinDay ? endIn(span.start, span.end, nowNanos) : span.end;
  }

  long nextEnd(long nowNanos) {
    if (zone == null) {
      long end = end(nowNanos);
      return end < 0 ? end + lengthNanos : Wide.add(end, lengthNanos);
    }
    Span span = span(zone, nowNanos);
    if (!withinDay) {
      return span.nextEnd;
    }
    long end = endIn(span.start, span.end, nowNanos);
    return end < span.end ? endIn(span.start, span.end, end) : endIn(end, span.nextEnd, end);
  }

  private long aligned(long nowNanos) {
    return nowNanos - Math.floorMod(nowNanos, lengthNanos);
  }

  private long startIn(long dayStart, long nowNanos) {
    return nowNanos - (nowNanos - dayStart) % lengthNanos;
  }

  private long endIn(long dayStart, long dayEnd, long nowNanos) {
    return Math.min(startIn(dayStart, nowNanos) + lengthNanos, dayEnd);
  }

  private Span span(ZoneId zone, long nowNanos) {
    Span[] known = spans;
    for (Span span : known) {
      if (span.start <= nowNanos && nowNanos < span.end) {
        return span;
      }
    }
    Span[] next = new Span[Math.min(known.length + 1, SPANS_MAX)];
    next[0] = calendar(zone, nowNanos);
    System.arraycopy(known, 0, next, 1, next.length - 1);
    spans = next;
    return next[0];
  }

  private Span calendar(ZoneId zone, long nowNanos) {
    LocalDate start = firstDay(date(zone, nowNanos));
    long end = midnight(zone, plusPeriod(start));
    /* Samoa once skipped a day: the window that follows is that of the date which comes then. */
    LocalDate next = firstDay(date(zone, end));
    return new Span(midnight(zone, start), end, midnight(zone, plusPeriod(next)));
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

  /* Newfoundland once set clocks back across midnight, and had midnight twice: the first counts. */
  private static LocalDate date(ZoneId zone, long nanos) {
    LocalDate shown = Instant.ofEpochSecond(0, nanos).atZone(zone).toLocalDate();
    LocalDate next = shown.plusDays(1);
    return midnight(zone, next) <= nanos ? next : shown;
  }

  private static long midnight(ZoneId zone, LocalDate day) {
    long seconds = day.atStartOfDay(zone).toEpochSecond();
    return seconds < Long.MAX_VALUE / NANOS_PER_SECOND
        ? seconds * NANOS_PER_SECOND
        : Long.MAX_VALUE;
  }
}
