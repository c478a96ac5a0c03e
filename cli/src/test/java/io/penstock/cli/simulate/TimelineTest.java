package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimelineTest {
  private static final long MILLI = 1_000_000L;

  @ParameterizedTest
  @CsvSource({
    "30000, 71, 500, 60",
    "180000, 71, 3000, 60",
    "60000, 71, 1000, 60",
    "3600000, 71, 60000, 60",
    "86400000, 71, 1800000, 48",
    "12, 71, 0.2, 60"
  })
  void timeline_horizon_isCutIntoRoundBins(long millis, int binsMax, double binMillis, int bins) {
    Timeline timeline = Timeline.of(millis * MILLI, binsMax);
    assertThat(timeline)
        .isEqualTo(new Timeline(millis * MILLI, Math.round(binMillis * MILLI), bins));
  }

  @Test
  void ticks_threeMinutes_areHalfMinutes() {
    Timeline timeline = Timeline.of(180_000 * MILLI, 71);
    assertThat(timeline.ticks(/* binsApart= */ 10))
        .extracting(TimeText::instant)
        .containsExactly("0s", "30s", "1:00", "1:30", "2:00", "2:30", "3:00");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s, 0s",
    "500000, 500µs, 0s",
    "1500000, 1.5ms, 0s",
    "450000000, 450ms, 0.45s",
    "643034000, 643ms, 0.64s",
    "59800000000, 59.8s, 59.8s",
    "60000000000, 1min, 1:00",
    "79800000000, 1min 19s, 1:19.8",
    "125000000000, 2min 5s, 2:05",
    "11400000000000, 3hour 10min, 3:10:00",
    "172800000000000, 2day, day 3",
    "183600000000000, 2day 3hour, day 3 03:00"
  })
  void timeText_nanos_areReadable(long nanos, String length, String instant) {
    assertThat(TimeText.length(nanos)).isEqualTo(length);
    assertThat(TimeText.instant(nanos)).isEqualTo(instant);
  }
}
