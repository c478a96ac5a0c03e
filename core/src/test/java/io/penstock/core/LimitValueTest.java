package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits made without text, and the numbers that algorithms ask them for. */
class LimitValueTest {
  @ParameterizedTest
  @CsvSource({
    "PT1S, 10/s",
    "PT0.25S, 10/250ms",
    "PT1M, 10/min",
    "PT90S, 10/90s",
    "PT1H, 10/hour",
    "PT24H, 10/24hour",
    "PT0.001S, 10/ms"
  })
  void of_duration_printsTheShortestText(Duration period, String text) {
    Limit limit = Limit.of(10, period);
    assertThat(limit).hasToString(text).isEqualTo(Limit.parse(text));
  }

  @Test
  void of_durationThatIsNotWholeMilliseconds_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1, Duration.ofNanos(1_500_000)))
        .withMessage("period: PT0.0015S (expected: whole milliseconds, from 1 ms to 73 years)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1, Duration.ZERO))
        .withMessage("period: PT0S (expected: whole milliseconds, from 1 ms to 73 years)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.of(1, Duration.ofSeconds(-1)))
        .withMessage("period: PT-1S (expected: whole milliseconds, from 1 ms to 73 years)");
  }

  @Test
  void concurrent_countAndLease_isTheSameAsItsText() {
    assertThat(Limit.concurrent(50, Duration.ofSeconds(30)))
        .hasToString("50 concurrent lease 30s")
        .isEqualTo(Limit.parse("50 concurrent lease 30s"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.concurrent(0, Duration.ofSeconds(30)))
        .withMessage("count: 0 (expected: >= 1)");
  }

  @Test
  void withBurst_rate_keepsEverythingElse() {
    assertThat(Limit.parse("10/day Europe/Paris").withBurst(20))
        .hasToString("10/day burst 20 Europe/Paris");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse("10/s").withBurst(0))
        .withMessage("burst: 0 (expected: >= 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.parse("10 concurrent lease 1s").withBurst(5))
        .withMessage("burst: 5 (expected: none with concurrent)");
  }

  @Test
  void equals_differentlyWritten_ignoresTheText() {
    assertThat(Limit.parse("10/1s")).isEqualTo(Limit.parse("10/s"));
    assertThat(Limit.parse("10/60s")).isNotEqualTo(Limit.parse("10/min burst 11"));
    assertThat(Limit.parse("10/s")).isNotEqualTo(Limit.parse("10 concurrent lease 1s"));
    assertThat(Limit.parse("10/day")).isNotEqualTo(Limit.parse("10/day UTC"));
  }

  /**
   * A whole number of nanoseconds if that is at most a millionth slower, else the exact fraction.
   */
  @ParameterizedTest
  @CsvSource({
    "10/s, 100000000, 1",
    "7/s, 142857143, 1",
    "3/min, 20000000000, 1",
    "1000000000/s, 1, 1",
    "300000000/s, 10, 3",
    "999999999/s, 1000000000, 999999999",
    "300/s, 3333334, 1",
    "3000/s, 1000000, 3",
    "30000/s, 100000, 3",
    "1/year, 31536000000000000, 1"
  })
  void unit_rate_isWholeNanosecondsWhereThatIsExactEnough(String text, long over, long under) {
    Limit limit = Limit.parse(text);
    assertThat(limit.unitNumerator()).isEqualTo(over);
    assertThat(limit.unitDenominator()).isEqualTo(under);
  }

  @Test
  void capacityNanos_fraction_isRoundedUp() {
    assertThat(Limit.parse("300000000/s burst 1").capacityNanos()).isEqualTo(4);
    assertThat(Limit.parse("300000000/s burst 3").capacityNanos()).isEqualTo(10);
    assertThat(Limit.parse("1/s burst 2147483648").capacityNanos())
        .isEqualTo(2_147_483_648L * 1_000_000_000);
  }

  @Test
  @SuppressWarnings("NullAway")
  void hasSameWindows_null_isRefusedByName() {
    assertThatNullPointerException()
        .isThrownBy(() -> Limit.parse("1/s").hasSameWindows(null, /* nowNanos= */ 0))
        .withMessage("other: null (expected: a limit)");
  }
}
