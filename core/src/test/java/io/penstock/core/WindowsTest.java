package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aligned windows: where they start and end, on the days when that is not obvious. */
class WindowsTest {
  private static long nanos(String instant) {
    Instant at =
        instant.contains("[") ? ZonedDateTime.parse(instant).toInstant() : Instant.parse(instant);
    return at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }

  private static void assertWindow(String limit, String now, String start, String end) {
    Limit windows = Limit.parse(limit);
    assertThat(Instant.ofEpochSecond(0, windows.windowStart(nanos(now))))
        .isEqualTo(Instant.ofEpochSecond(0, nanos(start)));
    assertThat(Instant.ofEpochSecond(0, windows.windowEnd(nanos(now))))
        .isEqualTo(Instant.ofEpochSecond(0, nanos(end)));
  }

  private static Duration length(String limit, String now) {
    Limit windows = Limit.parse(limit);
    return Duration.ofNanos(windows.windowEnd(nanos(now)) - windows.windowStart(nanos(now)));
  }

  @ParameterizedTest
  @CsvSource({
    "1/s, 2026-03-10T12:30:45.5Z, 2026-03-10T12:30:45Z, 2026-03-10T12:30:46Z",
    "1/15min, 2026-03-10T12:30:00Z, 2026-03-10T12:30:00Z, 2026-03-10T12:45:00Z",
    "1/15min, 2026-03-10T12:29:59.999999999Z, 2026-03-10T12:15:00Z, 2026-03-10T12:30:00Z",
    "1/7s, 1970-01-01T00:00:13Z, 1970-01-01T00:00:07Z, 1970-01-01T00:00:14Z",
    "1/day, 2026-03-10T23:59:59Z, 2026-03-10T00:00:00Z, 2026-03-11T00:00:00Z",
    "1/24hour, 2026-03-10T23:59:59Z, 2026-03-10T00:00:00Z, 2026-03-11T00:00:00Z",
    "1/3day, 1970-01-05T00:00:00Z, 1970-01-04T00:00:00Z, 1970-01-07T00:00:00Z"
  })
  void window_withoutZone_countsFromTheEpoch(String limit, String now, String start, String end) {
    assertWindow(limit, now, start, end);
  }

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 1969-12-29T00:00:00Z, 1970-01-05T00:00:00Z",
    "2026-03-08T23:59:59Z, 2026-03-02T00:00:00Z, 2026-03-09T00:00:00Z",
    "2026-03-09T00:00:00Z, 2026-03-09T00:00:00Z, 2026-03-16T00:00:00Z"
  })
  void window_week_startsOnMonday(String now, String start, String end) {
    assertWindow("1/week", now, start, end);
  }

  @ParameterizedTest
  @CsvSource({
    "2024-02-29T12:00:00Z, 2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z",
    "2026-02-28T23:59:59Z, 2026-02-01T00:00:00Z, 2026-03-01T00:00:00Z",
    "2026-01-31T23:59:59Z, 2026-01-01T00:00:00Z, 2026-02-01T00:00:00Z",
    "2100-02-28T23:59:59Z, 2100-02-01T00:00:00Z, 2100-03-01T00:00:00Z",
    "2025-12-31T23:59:59Z, 2025-12-01T00:00:00Z, 2026-01-01T00:00:00Z"
  })
  void window_month_endsOnItsLastDay(String now, String start, String end) {
    assertWindow("1/month", now, start, end);
  }

  @Test
  void window_severalMonthsOrYears_countFrom1970() {
    assertWindow(
        "1/3month", "2026-05-15T00:00:00Z", "2026-04-01T00:00:00Z", "2026-07-01T00:00:00Z");
    assertWindow("1/year", "2024-02-29T00:00:00Z", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z");
    assertWindow("1/4year", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Paris, 2026-03-29T12:00:00Z, PT23H",
    "Europe/Paris, 2026-10-25T12:00:00Z, PT25H",
    "Europe/Paris, 2026-06-01T12:00:00Z, PT24H",
    "America/New_York, 2026-03-08T12:00:00Z, PT23H",
    "America/New_York, 2026-11-01T12:00:00Z, PT25H",
    "Australia/Lord_Howe, 2026-10-04T00:00:00Z, PT23H30M",
    "Australia/Lord_Howe, 2026-04-05T00:00:00Z, PT24H30M",
    "America/Havana, 2026-11-01T12:00:00Z, PT25H"
  })
  void window_dayWithAClockChange_isShorterOrLonger(String zone, String now, Duration length) {
    assertThat(length("1/day " + zone, now)).isEqualTo(length);
  }

  @Test
  void window_dayInAZone_goesFromLocalMidnightToLocalMidnight() {
    assertWindow(
        "1/day Europe/Paris",
        "2026-03-28T23:30:00Z",
        "2026-03-29T00:00+01:00[Europe/Paris]",
        "2026-03-30T00:00+02:00[Europe/Paris]");
    assertWindow(
        "1/month America/New_York",
        "2026-04-01T03:59:59Z",
        "2026-03-01T00:00-05:00[America/New_York]",
        "2026-04-01T00:00-04:00[America/New_York]");
  }

  @Test
  void window_zoneWestOfGreenwichAtTheEpoch_startsBeforeIt() {
    assertWindow(
        "1/day America/New_York",
        "1970-01-01T00:00:00Z",
        "1969-12-31T05:00:00Z",
        "1970-01-01T05:00:00Z");
  }

  @Test
  void window_hoursInAZone_countFromLocalMidnight() {
    assertWindow(
        "1/hour Asia/Kolkata",
        "2026-03-10T12:00:00Z",
        "2026-03-10T11:30:00Z",
        "2026-03-10T12:30:00Z");
    assertWindow(
        "1/7hour UTC", "2026-03-10T22:00:00Z", "2026-03-10T21:00:00Z", "2026-03-11T00:00:00Z");
  }

  @Test
  void window_hourWithAHalfHourClockChange_lastOneEndsAtMidnight() {
    String lastOfShortDay = "2026-10-04T23:45+11:00[Australia/Lord_Howe]";
    assertThat(length("1/hour Australia/Lord_Howe", lastOfShortDay))
        .isEqualTo(Duration.ofMinutes(30));
    String lastOfLongDay = "2026-04-05T23:45+10:30[Australia/Lord_Howe]";
    assertThat(length("1/hour Australia/Lord_Howe", lastOfLongDay))
        .isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void window_clockSetBackAcrossMidnight_stillEndsInTheFuture() {
    Limit limit = Limit.parse("1/hour America/St_Johns");
    long start = nanos("2010-11-07T00:00:00Z");
    for (long now = start; now < nanos("2010-11-07T06:00:00Z"); now += 7_000_000_000L) {
      assertThat(limit.windowEnd(now)).isGreaterThan(now);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1/s",
    "1/day",
    "3/week",
    "1/month",
    "1/3month",
    "1/year",
    "1/day Europe/Paris",
    "1/7hour UTC"
  })
  void nextWindowEnd_anyWindow_isTheEndOfTheOneBehind(String text) {
    Limit limit = Limit.parse(text);
    long now = nanos("2026-01-31T12:00:00Z");
    for (int i = 0; i < 40; i++) {
      long end = limit.windowEnd(now);
      long nextEnd = limit.nextWindowEnd(now);
      assertThat(limit.windowStart(end)).isEqualTo(end);
      assertThat(limit.windowEnd(end)).isEqualTo(nextEnd);
      assertThat(limit.windowStart(end - 1)).isLessThanOrEqualTo(now);
      now = end;
    }
  }
}
