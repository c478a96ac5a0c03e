package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that come with a request are counted per unit, as envoyproxy/ratelimit does. */
class GivenLimitsTest {
  private final Bench bench = new Bench();

  private Answer check(String limit) {
    Asked asked = new Asked(Descriptor.of("user", "42"), /* cost= */ 1, Limit.parse(limit));
    return bench.check(new CheckRequest("api", List.of(asked), null, /* mayRefund= */ false));
  }

  @Test
  void check_limitsOfTwoUnits_takeNothingFromEachOther() {
    check("2/hour");
    assertThat(check("2/hour").remaining()).isZero();
    assertThat(check("2/hour").allowed()).isFalse();
    assertThat(check("5/s").remaining()).isEqualTo(4);
    assertThat(check("3/hour").remaining()).isZero();
    bench.clock.advance(Duration.ofSeconds(1));
    assertThat(check("5/s").remaining()).isEqualTo(4);
    assertThat(check("3/hour").allowed()).isFalse();
  }

  @Test
  void check_anotherCountOfTheSameUnit_continues() {
    check("2/min");
    check("2/min");
    assertThat(check("10/min").remaining()).isEqualTo(7);
    assertThat(check("2/min").allowed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"10/hour, 20/hour", "20/hour, 10/hour"})
  void check_oneDescriptorUnderTwoLimitsOfAUnit_neverExceedsEither(String first, String second) {
    Descriptor key = Descriptor.of("user", "42");
    List<Asked> asked =
        List.of(
            new Asked(key, /* cost= */ 1, Limit.parse(first)),
            new Asked(key, /* cost= */ 1, Limit.parse(second)));
    CheckRequest twice = new CheckRequest("api", asked, null, /* mayRefund= */ false);
    int allowed = 0;
    for (int i = 0; i < 12; i++) {
      allowed += bench.check(twice).allowed() ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(5);
    assertThat(check("20/hour").remaining()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"s", "min", "hour", "day", "week", "month", "year"})
  void reset_keyUnderALimitOfAnyUnit_isFull(String unit) {
    check("2/" + unit);
    check("9/" + unit);
    assertThat(check("2/" + unit).allowed()).isFalse();
    bench.reset("user", "43");
    assertThat(check("2/" + unit).allowed()).as("another key").isFalse();
    bench.reset("user", "42");
    assertThat(check("2/" + unit).remaining()).isEqualTo(1);
  }

  @Test
  void reset_keyUnderLimitsAndAPolicyWithASharedCounter_isFullEverywhere() {
    bench.policy("api/user=4*", "{\"limits\":[\"10/day\"],\"share\":[\"user\"]}");
    bench.check(4, "user", "42");
    check("2/hour");
    check("5/s");
    bench.reset("user", "43");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
    assertThat(check("2/hour").remaining()).isEqualTo(1);
    assertThat(check("5/s").remaining()).isEqualTo(4);
  }

  @Test
  void counter_everyUnit_isApartFromTheOthersAndFromPolicies() {
    List<Limit> limits =
        Stream.of("s", "min", "hour", "day", "week", "month", "year")
            .map(unit -> Limit.parse("1/" + unit))
            .toList();
    List<Integer> counters = limits.stream().map(Counters::ofGiven).toList();
    assertThat(counters).doesNotHaveDuplicates().doesNotContain(0, GivenRules.COUNTER);
    assertThat(counters).allMatch(counter -> counter % 2 == 0);
    assertThat(limits).allMatch(limit -> Counters.PLAIN.of(limit) % 2 != 0);
  }
}
