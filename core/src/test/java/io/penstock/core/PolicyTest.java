package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {
  @Test
  void parse_severalLimits_readsAllInOrder() {
    Policy policy = Policy.parse("10/s burst 20; 10000/day Europe/Paris");
    assertThat(policy.limits())
        .containsExactly(Limit.parse("10/s burst 20"), Limit.parse("10000/day Europe/Paris"));
    assertThat(policy.algorithm()).isSameAs(Algorithm.GCRA);
    assertThat(policy.failMode()).isEqualTo(FailMode.OPEN);
    assertThat(policy).hasToString("10/s burst 20; 10000/day Europe/Paris");
    assertThat(Policy.parse(policy.toString())).isEqualTo(policy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/s;20/min", "10/s ; 20/min", " 10/s;\n\t20/min "})
  void parse_whiteSpaceAroundLimits_doesNotCount(String text) {
    assertThat(Policy.parse(text)).hasToString("10/s; 20/min");
  }

  @Test
  void parse_whiteSpaceInsideALimit_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("10/s; 20 / min"))
        .withMessageStartingWith("limit: \"20 / min\" (expected: COUNT/PERIOD");
  }

  @Test
  void algorithmOf_zoneOrConcurrent_isNotThatOfThePolicy() {
    Policy policy = Policy.parse("10/s; 100/day Europe/Paris; 5 concurrent lease 1min");
    assertThat(policy.limits().stream().map(policy::algorithmOf))
        .containsExactly(Algorithm.GCRA, Algorithm.FIXED_WINDOW, Algorithm.CONCURRENCY);
  }

  @Test
  void with_otherAlgorithmOrFailMode_changesOnlyThat() {
    Policy policy = Policy.parse("10/s").withAlgorithm(Algorithm.FIXED_WINDOW);
    assertThat(policy.withFailMode(FailMode.CLOSED))
        .isEqualTo(
            new Policy(List.of(Limit.parse("10/s")), Algorithm.FIXED_WINDOW, FailMode.CLOSED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed-window", "sliding-window-log", "sliding-window-counter"})
  void withAlgorithm_windowAndBurst_isRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("10/s burst 20").withAlgorithm(Algorithm.named(name)))
        .withMessage("limits[0]: 10/s burst 20 (expected: no burst with " + name + ")");
  }

  @Test
  void of_zoneAndBurst_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("5/s; 10/day burst 20 UTC"))
        .withMessage("limits[1]: 10/day burst 20 UTC (expected: no burst with fixed-window)");
  }

  @Test
  void withAlgorithm_concurrencyForARate_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("10/s").withAlgorithm(Algorithm.CONCURRENCY))
        .withMessage("limits[0]: 10/s (expected: COUNT concurrent lease PERIOD with concurrency)");
  }

  @Test
  void of_tooManyConcurrent_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("16777216 concurrent lease 1hour"))
        .withMessage(
            "limits[0]: 16777216 concurrent lease 1hour (expected: at most 16777215 concurrent)");
  }

  @Test
  void withAlgorithm_queueLongerThan73Years_isRefused() {
    assertThat(Policy.parse("1/36year").withAlgorithm(Algorithm.LEAKY_QUEUE).limits()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("1/60year").withAlgorithm(Algorithm.LEAKY_QUEUE))
        .withMessage(
            "limits[0]: 1/60year (expected: burst + 1 units within 73 years with leaky-queue)");
  }

  @Test
  void of_samePeriodTwice_isRefusedAndNamesBoth() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("10/60s; 5/hour; 20/min"))
        .withMessage("limits[2]: 20/min (expected: another period than limits[0]: 10/60s)");
  }

  @Test
  void of_twoConcurrentLimits_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("5 concurrent lease 10s; 9/s; 6 concurrent lease 20s"))
        .withMessage("limits[2]: 6 concurrent lease 20s (expected: one concurrent limit)");
  }

  @Test
  void of_concurrentBesideARateOfTheSameLength_isFine() {
    assertThat(Policy.parse("10/min; 5 concurrent lease 1min").limits()).hasSize(2);
  }

  @Test
  void of_noLimitOrTooMany_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(Policy::of)
        .withMessage("limits: 0 (expected: 1..16)");
    String many =
        IntStream.rangeClosed(1, 17).mapToObj(n -> "1/" + n + "s").collect(Collectors.joining(";"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse(many))
        .withMessage("limits: 17 (expected: 1..16)");
  }

  @Test
  void parse_badLimit_namesIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("10/s; 0/min"))
        .withMessage("count: 0 (expected: >= 1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policy.parse("10/s;"))
        .withMessageStartingWith("limit: \"\" (expected: COUNT/PERIOD");
  }

  @Test
  void named_everyAlgorithm_isFound() {
    assertThat(Algorithm.all())
        .allSatisfy(each -> assertThat(Algorithm.named(each.name())).isSameAs(each));
  }

  @Test
  void named_unknown_listsTheChoices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Algorithm.named("bucket"))
        .withMessage(
            "algorithm: \"bucket\" (expected: gcra, token-bucket, leaky-bucket, leaky-queue, "
                + "fixed-window, sliding-window-log, sliding-window-counter, concurrency)");
  }

  @Test
  @SuppressWarnings("NullAway")
  void of_null_isRefusedByName() {
    assertMissing("text: null (expected: limits, as 100/s; 5000/day)", () -> Policy.parse(null));
    String limits = "limits: null (expected: 1..16 limits)";
    assertMissing(limits, () -> Policy.of((Limit[]) null));
    assertMissing(limits, () -> new Policy(null, Algorithm.GCRA, FailMode.OPEN));
    Limit some = Limit.parse("1/s");
    assertMissing("limits[1]: null (expected: a limit)", () -> Policy.of(some, null));
    Policy policy = Policy.of(some);
    assertMissing("algorithm: null (expected: an algorithm)", () -> policy.withAlgorithm(null));
    assertMissing("failMode: null (expected: a fail mode)", () -> policy.withFailMode(null));
    assertMissing("limit: null (expected: a limit)", () -> policy.algorithmOf(null));
  }

  private static void assertMissing(String message, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(message);
  }
}
