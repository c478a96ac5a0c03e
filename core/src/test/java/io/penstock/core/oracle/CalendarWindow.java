package io.penstock.core.oracle;

import io.penstock.core.Limit;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The window that holds an instant, from {@code start} up to and without {@code end}. Immutable.
 *
 * <p>Found with {@code java.time} from the text of the period: days, weeks, months and years are
 * counted on the calendar of the zone, in UTC without one; anything shorter is counted from the
 * epoch, or from local midnight if there is a zone.
 */
record CalendarWindow(long start, long end) {
  private static final Pattern PERIOD = Pattern.compile("(\\d*)([a-z]+)");
  private static final LocalDate FIRST_DAY = LocalDate.EPOCH;

  static CalendarWindow at(Limit limit, long now) {
    Matcher period = PERIOD.matcher(limit.period());
    if (!period.matches()) {
      throw new IllegalArgumentException(limit.period());
    }
    long amount = period.group(1).isEmpty() ? 1 : Long.parseLong(period.group(1));
    ZoneId zone = limit.zone();
    return switch (period.group(2)) {
      case "day" -> days(amount, ChronoUnit.DAYS, zone, now);
      case "week" -> days(amount, ChronoUnit.WEEKS, zone, now);
      case "month" -> days(amount, ChronoUnit.MONTHS, zone, now);
      case "year" -> days(amount, ChronoUnit.YEARS, zone, now);
      default -> zone == null ? sinceEpoch(limit, now) : sinceMidnight(limit, zone, now);
    };
  }

  CalendarWindow next(Limit limit) {
    return at(limit, end);
  }

  private static CalendarWindow days(
      long amount, ChronoUnit unit, @Nullable ZoneId asked, long now) {
    ZoneId zone = asked == null ? ZoneOffset.UTC : asked;
    LocalDate first =
        unit == ChronoUnit.WEEKS
            ? FIRST_DAY.with(TemporalAdjusters.next(DayOfWeek.MONDAY))
            : FIRST_DAY;
    long passed = unit.between(first, today(zone, now)) / amount;
    LocalDate start = first.plus(passed * amount, unit);
    while (start.isAfter(today(zone, now))) {
      start = start.minus(amount, unit);
    }
    return new CalendarWindow(nanos(zone, start), nanos(zone, start.plus(amount, unit)));
  }

  private static CalendarWindow sinceEpoch(Limit limit, long now) {
    long number = Math.floorDiv(now, limit.periodNanos());
    return new CalendarWindow(number * limit.periodNanos(), (number + 1) * limit.periodNanos());
  }

  private static CalendarWindow sinceMidnight(Limit limit, ZoneId zone, long now) {
    long start = nanos(zone, today(zone, now));
    while (start + limit.periodNanos() <= now) {
      start += limit.periodNanos();
    }
    long tomorrow = nanos(zone, today(zone, now).plusDays(1));
    return new CalendarWindow(start, Math.min(start + limit.periodNanos(), tomorrow));
  }

  /** The date, or the next one if that has begun before clocks were set back. */
  private static LocalDate today(ZoneId zone, long now) {
    LocalDate date = LocalDate.ofInstant(Instant.EPOCH.plusNanos(now), zone);
    return nanos(zone, date.plusDays(1)) <= now ? date.plusDays(1) : date;
  }

  private static long nanos(ZoneId zone, LocalDate day) {
    Instant midnight = day.atStartOfDay(zone).toInstant();
    return midnight.getEpochSecond() >= Long.MAX_VALUE / 1_000_000_000
        ? Long.MAX_VALUE
        : ChronoUnit.NANOS.between(Instant.EPOCH, midnight);
  }
}
