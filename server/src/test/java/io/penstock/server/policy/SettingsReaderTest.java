package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the numbers of a document are read. */
class SettingsReaderTest {
  private static PolicyDocument policy(String budget) {
    return PolicyDocument.parse(Kind.POLICY, json(budget));
  }

  private static String json(String budget) {
    return "{\"limits\":[\"10/s\"],\"budgetMs\":" + budget + "}";
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50, 10_000})
  void budget_wholeMilliseconds_areRead(int budget) {
    assertThat(policy(String.valueOf(budget)).terms(/* tier= */ null).budgetMillis())
        .isEqualTo(budget);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "10001", "99999999999", "1.5", "1e3", "\"50\"", "true", "[1]"})
  void budget_anythingElse_isAProblem(String budget) {
    assertThat(PolicyDocument.problems(Kind.POLICY, json(budget)))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.field()).isEqualTo("budgetMs");
              assertThat(problem.expected()).isEqualTo("a whole number of milliseconds, 1..10000");
            });
  }
}
