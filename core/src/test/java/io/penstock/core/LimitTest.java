package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.time.ZoneId;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {
  private static final String FORM =
      "COUNT/PERIOD[ burst N][ ZONE] or COUNT concurrent lease PERIOD, PERIOD one of "
          + "ms s min hour day week month year or a number and one of them";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100/s",
        "100/s burst 200",
        "5/250ms",
        "10/15min",
        "1/1s",
        "007/day",
        "007/01s burst 010",
        "1000/month Europe/Paris",
        "10/day UTC",
        "10/hour Etc/GMT+5",
        "10/day UTC+02:00",
        "50 concurrent lease 30s",
        "1000000000/s burst 2147483648"
      })
  void parse_goodText_isGivenBackLetterForLetter(String text) {
    assertThat(Limit.parse(text)).hasToString(text);
    assertThat(Limit.parse(Limit.parse(text).toString())).isEqualTo(Limit.parse(text));
  }

  @Test
  void parse_allParts_areRead() {
    Limit limit = Limit.parse("100/15min burst 200");
    assertThat(limit.count()).isEqualTo(100);
    assertThat(limit.periodNanos()).isEqualTo(Duration.ofMinutes(15).toNanos());
    assertThat(limit.period()).isEqualTo("15min");
    assertThat(limit.capacity()).isEqualTo(200);
    assertThat(limit.hasBurst()).isTrue();
    assertThat(limit.isConcurrent()).isFalse();
    assertThat(limit.zone()).isNull();
  }

  @Test
  void parse_withoutBurst_capacityIsTheCount() {
    assertThat(Limit.parse("7/s").capacity()).isEqualTo(7);
    assertThat(Limit.parse("7/s").hasBurst()).isFalse();
  }

  @Test
  void parse_zone_isRead() {
    assertThat(Limit.parse("7/day Europe/Paris").zone()).isEqualTo(ZoneId.of("Europe/Paris"));
  }

  @Test
  void parse_concurrent_isReadWithItsLease() {
    Limit limit = Limit.parse("50 concurrent lease 30s");
    assertThat(limit.isConcurrent()).isTrue();
    assertThat(limit.count()).isEqualTo(50);
    assertThat(limit.periodNanos()).isEqualTo(Duration.ofSeconds(30).toNanos());
  }

  @ParameterizedTest
  @CsvSource({
    "ms, 1000000",
    "s, 1000000000",
    "min, 60000000000",
    "hour, 3600000000000",
    "day, 86400000000000",
    "week, 604800000000000",
    "month, 2592000000000000",
    "year, 31536000000000000"
  })
  void parse_everyUnit_hasItsLength(String unit, long nanos) {
    assertThat(Limit.parse("1/" + unit).periodNanos()).isEqualTo(nanos);
    assertThat(Limit.parse("1/2" + unit).periodNanos()).isEqualTo(2 * nanos);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0/s | count: 0 (expected: >= 1)",
        "-5/s | count: -5 (expected: >= 1)",
        "10/s burst 0 | burst: 0 (expected: >= 1)",
        "10/s burst -1 | burst: -1 (expected: >= 1)",
        "10/s burst -9223372036854775808 | burst: -9223372036854775808 (expected: >= 1)",
        "10/0s | period: 0s (expected: 1s..2305843009s)",
        "1/99999999999s | period: 99999999999s (expected: 1s..2305843009s)",
        "1/74year | period: 74year (expected: 1year..73year)",
        "5 concurrent lease 0s | lease: 0s (expected: 1s..2305843009s)",
        "0 concurrent lease 1s | count: 0 (expected: >= 1)",
        "2000000000/s | count: 2000000000 (expected: <= 1000000000 for a period of s)",
        "1/year burst 100 | burst: 100 (expected: <= 73 for 1/year)",
        "10/day Mars/X | zone: \"Mars/X\" (expected: a time zone such as UTC or Europe/Paris)",
        "10/25hour UTC | period: 25hour (expected: at most a day, or days and longer, with a zone)",
        "10/x | period: \"x\" (expected: a unit of ms s min hour day week month year)",
        "99999999999999999999/s | count: 99999999999999999999 "
            + "(expected: >= 1, of at most 18 digits, in \"99999999999999999999/s\")",
        "1/s burst 99999999999999999999 | burst: 99999999999999999999 "
            + "(expected: >= 1, of at most 18 digits, in \"1/s burst 99999999999999999999\")",
        "-99999999999999999999/s | count: -99999999999999999999 "
            + "(expected: >= 1, of at most 18 digits, in \"-99999999999999999999/s\")"
      })
  void parse_badNumber_namesFieldValueAndExpectation(String text, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text)).withMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "10",
        "10/",
        "/s",
        "1.5/s",
        "10/s burst 1.5",
        "ten/s",
        "10/S",
        "10/-1s",
        " 10/s",
        "10/s ",
        "10/s\n",
        "\u00a010/s",
        "10 /s",
        "10/ s",
        "10/1 s",
        "10/s  burst 20",
        "10/s burst  20",
        "10/s\tburst 20",
        "10/s burst 20 ",
        "10/day  UTC",
        "10/day UTC ",
        "10  concurrent lease 1s",
        "10 concurrent lease 1s ",
        "+10/s",
        "10/s burst +20",
        "1e3/s",
        "1_000/s",
        "0x10/s",
        "10/s BURST 20",
        "10 Concurrent lease 1s",
        "10/s burst 20 UTC extra",
        "10/s; 20/min",
        "10 concurrent",
        "10 concurrent lease",
        "10 concurrent lease 1s burst 2",
        "\u0661\u0660/s"
      })
  void parse_otherText_saysTheForm(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse(text))
        .withMessage("limit: \"" + text + "\" (expected: " + FORM + ")");
  }

  @Test
  void parse_null_isRefusedByName() {
    assertThatNullPointerException()
        .isThrownBy(() -> Limit.parse(nothing()))
        .withMessage("text: null (expected: a limit, as 100/s)");
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Long> numbers = Arbitraries.longs().between(1, 1_000_000);
    Arbitrary<String> periods =
        Combinators.combine(
                Arbitraries.of("", "1", "2", "15", "60"),
                Arbitraries.of("s", "min", "hour", "day", "week", "month"))
            .as(String::concat);
    Arbitrary<String> bursts = numbers.map(n -> " burst " + n).injectDuplicates(0.1);
    return Combinators.combine(numbers, periods, Arbitraries.oneOf(bursts, Arbitraries.just("")))
        .as((count, period, burst) -> count + "/" + period + burst)
        .filter(LimitTest::fits);
  }

  private static boolean fits(String text) {
    try {
      Limit.parse(text);
      return true;
    } catch (IllegalArgumentException tooLong) {
      return false;
    }
  }

  @Property
  void parse_anyLimit_roundTrips(@ForAll("texts") String text) {
    Limit limit = Limit.parse(text);
    assertThat(limit).hasToString(text);
    Limit again = Limit.parse(limit.count() + "/" + limit.period() + burstOf(limit));
    assertThat(again).isEqualTo(limit).hasSameHashCodeAs(limit);
  }

  private static String burstOf(Limit limit) {
    return limit.hasBurst() ? " burst " + limit.capacity() : "";
  }

  @Property
  void parse_anyText_answersOrNamesTheProblem(@ForAll String text) {
    try {
      Limit.parse(text);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(?s)[a-z]+: .* \\(expected: .*\\)");
    }
  }

  @Test
  void windowEnd_atTheLastInstant_isNoneAfterIt() {
    assertThat(Limit.parse("1/s").windowEnd(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Limit.parse("1/s").nextWindowEnd(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Limit.parse("1/s").windowEnd(-5_000_000_000L)).isEqualTo(-4_000_000_000L);
  }
}
