package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** The clock shows the last hour of a day once more: that is a part of the day that has begun. */
  @Test
  void window_clockSetBackAcrossMidnight_isThatOfTheDayThatHasBegun() {
    String again = "2009-10-31T23:42-04:00[America/Goose_Bay]";
    String begun = "2009-11-01T00:00-03:00[America/Goose_Bay]";
    assertWindow("1/day America/Goose_Bay", again, begun, "2009-11-02T04:00:00Z");
    assertWindow("1/month America/Goose_Bay", again, begun, "2009-12-01T04:00:00Z");
    assertWindow("1/hour America/Goose_Bay", again, "2009-11-01T03:00:00Z", "2009-11-01T04:00:00Z");
  }

  /** Samoa went from the 29th to the 31st: the window of the 30th would be empty. */
  @ParameterizedTest
  @CsvSource({"1/day, 2012-01-01", "1/18hour, 2011-12-31T18:00", "1/2day, 2012-01-01"})
  void nextWindowEnd_ofADayThatIsSkipped_isThatOfTheDayAfter(String limit, String nextEnd) {
    String local = nextEnd.contains("T") ? nextEnd : nextEnd + "T00:00";
    Limit windows = Limit.parse(limit + " Pacific/Apia");
    long now = nanos("2011-12-29T23:00-10:00[Pacific/Apia]");
    assertThat(Instant.ofEpochSecond(0, windows.nextWindowEnd(now)))
        .isEqualTo(Instant.ofEpochSecond(0, nanos(local + "+14:00[Pacific/Apia]")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1/7hour", "1/day", "1/month"})
  void window_aroundEveryClockChangeOfEveryZone_holdsNowAndMeetsTheNext(String limit) {
    Set<ZoneRules> seen = new HashSet<>();
    List<String> wrong = new ArrayList<>();
    for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
      ZoneRules rules = ZoneId.of(id).getRules();
      if (seen.add(rules)) {
        ZoneOffsetTransition change = rules.nextTransition(Instant.EPOCH);
        while (change != null && change.getDateTimeBefore().getYear() < 2038) {
          long at = change.getInstant().getEpochSecond() * 1_000_000_000;
          long length = change.getDuration().abs().toNanos();
          for (long now : new long[] {at - 1, at, at + length / 2}) {
            /* A new one each time: a limit remembers the window it was asked for last. */
            if (!isSound(Limit.parse(limit + " " + id), now)) {
              wrong.add(id + " at " + Instant.ofEpochSecond(0, now));
            }
          }
          change = rules.nextTransition(change.getInstant());
        }
      }
    }
    assertThat(seen).hasSizeGreaterThan(100);
    assertThat(wrong).isEmpty();
  }

  private static boolean isSound(Limit windows, long now) {
    long end = windows.windowEnd(now);
    long nextEnd = windows.nextWindowEnd(now);
    return windows.windowStart(now) <= now
        && now < end
        && windows.windowStart(end) == end
        && windows.windowEnd(end) == nextEnd
        && windows.windowEnd(end - 1) == end;
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
