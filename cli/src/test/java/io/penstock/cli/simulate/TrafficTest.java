package io.penstock.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficTest {
  private static final long MILLI = 1_000_000L;

  private static List<Long> millis(String text) {
    return Traffic.parse(text).arrivals(/* seed= */ 1).stream()
        .map(arrival -> arrival.atNanos() / MILLI)
        .toList();
  }

  @Test
  void steady_fourPerSecond_comesEvenlyFromTheStart() {
    assertThat(millis("steady 4/s for 1s")).containsExactly(0L, 250L, 500L, 750L);
    assertThat(millis("steady 1/250ms for 1s")).containsExactly(0L, 250L, 500L, 750L);
    assertThat(millis("steady 0.5/s for 4s")).containsExactly(0L, 2000L);
  }

  @Test
  void steady_rateThatDoesNotDivide_neverComesEarly() {
    assertThat(Traffic.parse("steady 3/s for 1s").arrivals(1))
        .extracting(Arrival::atNanos)
        .containsExactly(0L, 333_333_334L, 666_666_667L);
  }

  @Test
  void burst_atAndEvery_comesAllAtOnce() {
    assertThat(millis("burst 2 at 3s")).containsExactly(3000L, 3000L);
    assertThat(millis("burst 2 every 10s for 25s"))
        .containsExactly(0L, 0L, 10_000L, 10_000L, 20_000L, 20_000L);
    assertThat(millis("burst 1 at 5s every 10s for 25s")).containsExactly(5000L, 15_000L);
  }

  @Test
  void ramp_upAndDown_hasTheMeanRateAndTheRightSlope() {
    List<Long> up = millis("ramp 0/s to 20/s for 10s");
    assertThat(up).hasSize(100).isSorted();
    assertThat(up).filteredOn(at -> at < 5000).as("a quarter in the first half").hasSize(25);
    List<Long> down = millis("ramp 20/s to 0/s for 10s");
    assertThat(down).hasSize(100).isSorted();
    assertThat(down).filteredOn(at -> at < 5000).hasSizeBetween(74, 76);
    assertThat(millis("ramp 4/s to 4/s for 1s")).containsExactly(0L, 250L, 500L, 750L);
  }

  @Test
  void poisson_manyRequests_hasMeanAndVarianceOfPoisson() {
    Traffic traffic = Traffic.parse("poisson 50/s for 2000s");
    List<Arrival> arrivals = traffic.arrivals(/* seed= */ 7);
    assertThat(arrivals.size()).isCloseTo(100_000, within(1_000));
    double fano = Flow.of(arrivals).fano(1_000 * MILLI, traffic.lengthNanos());
    assertThat(fano).isCloseTo(1, within(0.1));
  }

  @Test
  void arrivals_seed_decidesThem() {
    Traffic traffic = Traffic.parse("poisson 15/s for 30s and poisson 1/s for 30s");
    assertThat(traffic.arrivals(1)).isEqualTo(traffic.arrivals(1));
    assertThat(traffic.arrivals(1)).isNotEqualTo(traffic.arrivals(2));
  }

  @Test
  void then_segments_followOneAnother() {
    assertThat(millis("burst 1 then idle for 2s then steady 1/s for 2s"))
        .containsExactly(0L, 2000L, 3000L);
    assertThat(millis("burst 1 at 59s then burst 1 at 2s")).containsExactly(59_000L, 61_000L);
    assertThat(Traffic.parse("idle for 2s then idle for 3s").lengthNanos()).isEqualTo(5000 * MILLI);
  }

  @Test
  void and_layers_areMergedInTime() {
    String text = "steady 1/s for 3s cost 5 and burst 1 at 500ms for 10s";
    assertThat(Traffic.parse(text).arrivals(1))
        .containsExactly(
            new Arrival(0, 5),
            new Arrival(500 * MILLI, 1),
            new Arrival(1000 * MILLI, 5),
            new Arrival(2000 * MILLI, 5));
    assertThat(Traffic.parse(text).lengthNanos()).isEqualTo(10_000 * MILLI);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|traffic: the end (expected: steady, poisson, ramp, burst or idle)",
        "flood 3/s|traffic: \"flood\" (expected: steady, poisson, ramp, burst or idle)",
        "steady|traffic: the end after \"steady\" (expected: a rate such as 15/s)",
        "steady 15|traffic: \"15\" after \"steady\" (expected: a rate such as 15/s)",
        "steady 15/fortnight for 1s|traffic: \"15/fortnight\" after \"steady\"",
        "steady 0/s for 1s|traffic: \"0/s\" after \"steady\" (expected: a rate above 0)",
        "steady 5/0s for 1s|traffic: \"5/0s\" after \"steady\" (expected: a rate such as 15/s)",
        "steady 15/s|traffic: the end after \"15/s\" (expected: \"for\" and a time)",
        "steady 1/s for|traffic: the end after \"for\" (expected: a time such as 10s; units",
        "steady 1/s for 0s|traffic: \"0s\" after \"for\" (expected: a time above 0)",
        "steady 1/s for 9x|traffic: \"9x\" after \"for\" (expected: a time such as 10s; units",
        "steady 1/s at 3s|traffic: \"at\" after \"1/s\" (expected: for, cost, then, and, or",
        "steady 1/s for 3s for 4s|traffic: \"for\" after \"3s\" (expected: cost, then, and, or",
        "ramp 1/s for 3s|traffic: \"for\" after \"1/s\" (expected: \"to\" and a rate)",
        "ramp 0/s to 0/s for 3s|ramp: 0/s to 0/s (expected: one rate above 0; idle for none)",
        "burst|traffic: the end after \"burst\" (expected: a whole number from 1 to 1000000)",
        "burst 0|traffic: \"0\" after \"burst\" (expected: a whole number from 1 to 1000000)",
        "burst 9 every 3s|traffic: the end after \"3s\" (expected: \"for\" and a time)",
        "burst 9 at 5s for 3s|at: 5s (expected: < for: 3s)",
        "idle|traffic: the end after \"idle\" (expected: \"for\" and a time)",
        "idle for 1s cost 3|traffic: \"cost\" after \"1s\" (expected: then, and, or the end)",
        "idle for 1s then|traffic: the end after \"then\" (expected: steady, poisson, ramp",
        "idle for 9999day|traffic: \"9999day\" after \"for\" (expected: at most 3650day)",
        "idle for 3650day then idle for 1s|(expected: <= 3650day long)",
        "steady 1000/s for 1hour|traffic: 3600000 requests (expected: <= 1000000)"
      })
  void parse_mistake_saysWhereAndWhatWasExpected(String text, String message) {
    assertThatThrownBy(() -> Traffic.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"steady 1e9/s for 1s", "burst -3", "burst 3 at -1s", "steady 1/s for ∞"})
  void parse_oddNumbers_isRefused(String text) {
    assertThatThrownBy(() -> Traffic.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
