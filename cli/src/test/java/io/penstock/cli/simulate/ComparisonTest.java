package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
  static final String BOUNDARY = "burst 100 at 59s and burst 100 at 61s for 3min";

  private static final long MILLI = 1_000_000L;

  static Comparison compare(String limit, String traffic) {
    return compare(limit, traffic, "all");
  }

  private static Comparison compare(String limit, String traffic, String... names) {
    List<Algorithm> algorithms = Scenario.algorithms(List.of(names));
    return Comparison.of(
        new Scenario(Policy.parse(limit), Traffic.parse(traffic), algorithms, /* seed= */ 1));
  }

  private static Trial trial(Comparison comparison, Algorithm algorithm) {
    return comparison.trials().stream()
        .filter(trial -> trial.algorithm() == algorithm)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void of_limitThatALogCannotCount_leavesThatOutAndSaysSo() {
    Comparison quota = compare("100000000/month", "poisson 10/s for 10s");
    assertThat(quota.trials()).hasSize(4);
    assertThat(quota.notes())
        .anyMatch(note -> note.startsWith("sliding-window-log cannot: limit: 100000000/month"));
    assertThat(compare("2000000/month", "poisson 10/s for 10s").trials()).hasSize(5);
    assertThatThrownBy(() -> compare("100000000/month", "burst 1", "sliding-window-log"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("sliding-window-log cannot: limit: 100000000/month (expected: ");
  }

  /* Requests at 0, 250, ... 1750 ms against 2/s; what each admits is worked out by hand. */
  @ParameterizedTest
  @CsvSource({
    "gcra, 5, 3, 1, 0",
    "leaky-queue, 6, 2, 1, 0",
    "fixed-window, 4, 2, 2, 250",
    "sliding-window-log, 4, 2, 2, 250",
    "sliding-window-counter, 3, 2, 4, 750"
  })
  void trial_twiceTheRate_isAsByHand(
      String name, long admitted, long peak, long denials, long denialMillis) {
    Comparison comparison = compare("2/s", "steady 4/s for 2s");
    Trial trial = trial(comparison, Algorithm.named(name));
    assertThat(trial.asked()).isEqualTo(8);
    assertThat(trial.admittedRequests()).isEqualTo(admitted);
    assertThat(trial.deniedRequests()).isEqualTo(8 - admitted);
    assertThat(trial.peak(Limit.parse("2/s")).units()).isEqualTo(peak);
    assertThat(trial.longestDenial().requests()).isEqualTo(denials);
    assertThat(trial.longestDenial().lengthNanos()).isEqualTo(denialMillis * MILLI);
  }

  @Test
  void queue_twiceTheRate_runsOneIntervalApart() {
    Comparison comparison = compare("2/s", "steady 4/s for 2s");
    Trial queue = trial(comparison, Algorithm.LEAKY_QUEUE);
    Timeline halfSeconds = new Timeline(3000 * MILLI, 500 * MILLI, 6);
    assertThat(queue.admitted().perBin(halfSeconds)).containsExactly(1, 1, 1, 1, 1, 1);
    assertThat(queue.waits().maxNanos()).isEqualTo(1000 * MILLI);
    assertThat(queue.waits().meanNanos()).isCloseTo(3500.0 * MILLI / 6, within(1.0));
    assertThat(queue.tenthPeak().units()).isEqualTo(1);
    // The last runs at 2.5 s, the axis ends a tenth later: 6 of 26 tenths hold one each.
    assertThat(comparison.horizonNanos()).isEqualTo(2600 * MILLI);
    assertThat(comparison.fano(queue)).isCloseTo(1 - 6.0 / 26, within(1e-9));
  }

  /** A queue runs on after the traffic, and the axis of all with it. */
  @Test
  void fano_ofOneAlgorithm_isTheSameWhateverElseIsShown() {
    Comparison alone = compare("10/s", "poisson 15/s for 5s", "gcra");
    Comparison both = compare("10/s", "poisson 15/s for 5s", "gcra", "leaky-queue");
    assertThat(both.horizonNanos()).isGreaterThan(alone.horizonNanos());
    assertThat(both.fano(both.trials().get(0))).isEqualTo(alone.fano(alone.trials().get(0)));
  }

  @Test
  void fixedWindow_burstsAroundTheBoundary_letsTwiceTheLimitThrough() {
    Comparison comparison = compare("100/min", BOUNDARY);
    Limit limit = Limit.parse("100/min");
    assertThat(trial(comparison, Algorithm.FIXED_WINDOW).ratio(limit)).isEqualTo(2);
    assertThat(trial(comparison, Algorithm.SLIDING_WINDOW_LOG).ratio(limit)).isEqualTo(1);
    assertThat(trial(comparison, Algorithm.LEAKY_QUEUE).ratio(limit)).isEqualTo(1);
    assertThat(trial(comparison, Algorithm.GCRA).ratio(limit)).isBetween(1.0, 1.04);
  }

  @Test
  void slidingLog_randomTraffic_neverExceedsTheLimit() {
    Comparison comparison = compare("10/s", "poisson 40/s for 60s and burst 30 every 7s for 60s");
    assertThat(trial(comparison, Algorithm.SLIDING_WINDOW_LOG).ratio(Limit.parse("10/s")))
        .isEqualTo(1);
  }

  @Test
  void severalLimits_tightest_isTheOneExceededMost() {
    Comparison comparison = compare("10/s; 15/min", "steady 5/s for 10s");
    Trial fixed = trial(comparison, Algorithm.FIXED_WINDOW);
    assertThat(fixed.admittedRequests()).isEqualTo(15);
    assertThat(fixed.tightest()).isEqualTo(Limit.parse("15/min"));
  }

  @Test
  void cost_units_countAgainstTheLimit() {
    Comparison comparison = compare("10/s", "burst 5 for 1s cost 3");
    Trial log = trial(comparison, Algorithm.SLIDING_WINDOW_LOG);
    assertThat(log.admittedRequests()).isEqualTo(3);
    assertThat(log.admitted().units()).isEqualTo(9);
  }

  @Test
  void scenario_burst_isDroppedForWindowsAndSaid() {
    Comparison comparison = compare("10/s burst 20; 100/day", "steady 1/s for 1s");
    assertThat(trial(comparison, Algorithm.GCRA).policy()).hasToString("10/s burst 20; 100/day");
    assertThat(trial(comparison, Algorithm.FIXED_WINDOW).policy()).hasToString("10/s; 100/day");
    assertThat(comparison.scenario().notes())
        .contains(
            "Windows have no burst: fixed-window, sliding-window-log, sliding-window-counter"
                + " ran with 10/s; 100/day.")
        .contains("token-bucket and leaky-bucket decide as gcra.");
  }

  @ParameterizedTest
  @CsvSource({"100/min", "10/7s", "5/day", "5/2week", "5/month", "5/year", "1/day Europe/Paris"})
  void scenario_start_isTheStartOfAWindow(String text) {
    Limit limit = Limit.parse(text);
    Scenario scenario =
        new Scenario(Policy.of(limit), Traffic.parse("idle for 1s"), List.of(), /* seed= */ 1);
    assertThat(limit.windowStart(scenario.startNanos())).isEqualTo(scenario.startNanos());
  }

  @Test
  void scenario_concurrency_isRefused() {
    assertThatThrownBy(() -> compare("5 concurrent lease 3s", "idle for 1s"))
        .hasMessageStartingWith("limit: 5 concurrent lease 3s (expected: a rate");
    assertThatThrownBy(() -> Scenario.algorithms(List.of("concurrency")))
        .hasMessageStartingWith("algorithm: \"concurrency\" (expected: all, gcra, token-bucket");
  }

  @Test
  void algorithms_names_areTakenInOrderAndOnce() {
    assertThat(Scenario.algorithms(List.of("token-bucket", "gcra", "token-bucket")))
        .containsExactly(Algorithm.TOKEN_BUCKET, Algorithm.GCRA);
    assertThat(Scenario.algorithms(List.of("all"))).isEqualTo(Scenario.DISTINCT);
  }
}
