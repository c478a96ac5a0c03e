package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReadingTest {
  private static List<String> readings(String limit, String traffic) {
    Comparison comparison = ComparisonTest.compare(limit, traffic);
    return comparison.trials().stream()
        .map(trial -> Reading.of(trial, comparison.scenario().startNanos()))
        .toList();
  }

  @Test
  void readings_boundaryBurst_nameTheBoundaryAndItsTwoSides() {
    assertThat(readings("100/min", ComparisonTest.BOUNDARY))
        .containsExactly(
            "Let 103 through in 1min around 1:00, 1.03× the limit: a bucket holds 100 and refills"
                + " meanwhile. Denied 97 at 1:01.",
            "Ran at most 100 in any 1min and 10 in any 6s, after waits of up to 59.8s."
                + " Denied 96 at 1:01.",
            "Let 200 through in 1min around 1:00, 2.00× the limit: 100 before the window ended at"
                + " 1:00 and 100 after, a burst at the boundary. Denied nothing.",
            "Never let more than 100 through in any 1min. Denied 100 at 1:01.",
            "Let 101 through in 1min around 1:00, 1.01× the limit: 100 before the window ended at"
                + " 1:00 and 1 after, as it takes the window before for evenly spread."
                + " Denied 99 at 1:01.");
  }

  @Test
  void readings_otherTraffic_sayOtherThings() {
    assertThat(readings("10/s burst 50", "burst 40 at 1s then steady 1/s for 3s").get(0))
        .isEqualTo(
            "Let 41 through in 1s around 1s, 4.10× the limit: a bucket holds 50."
                + " Denied nothing.");
    assertThat(readings("2/s", "steady 4/s for 2s").get(2))
        .isEqualTo(
            "Never let more than 2 through in any 1s."
                + " Denied 4 from 0.5s to 1.75s, at most 2 on end (250ms).");
    assertThat(readings("2/s", "burst 1 cost 9").get(0))
        .isEqualTo("Let nothing through. Denied 1 at 0s.");
  }
}
