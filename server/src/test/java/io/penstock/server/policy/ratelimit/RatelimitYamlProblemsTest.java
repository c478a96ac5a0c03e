package io.penstock.server.policy.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a configuration in the form of envoyproxy/ratelimit is told all at once. */
class RatelimitYamlProblemsTest {
  private static final String[] MISTAKES = {
    "domain (line 1, column 9): nothing (expected: the name of a domain)",
    "descriptors[0].key (line 3, column 10): nothing (expected: a key of at least one"
        + " character)",
    "descriptors[1] (line 6, column 5): colour (expected: no such field; one of key, value,"
        + " rate_limit, descriptors, shadow_mode, quota_mode, detailed_metric,"
        + " value_to_metric, share_threshold, metadata)",
    "descriptors[1].rate_limit.unit (line 5, column 24): fortnight (expected: second,"
        + " minute, hour, day, week, month, year)",
    "descriptors[1].rate_limit.requests_per_unit (line 5, column 54): -1 (expected: a whole"
        + " number from 0 to 4294967295)",
    "descriptors[2].key (line 7, column 10): a (expected: each key and value once)",
    "descriptors[3].share_threshold (line 9, column 22): true (expected: a value with a *)",
    "descriptors[3].shadow_mode (line 10, column 18): yes (expected: true or false)",
    "descriptors[3].rate_limit.unit (line 13, column 13): second (expected: no unit beside"
        + " unlimited: true)",
    "descriptors[3].rate_limit.replaces[0].name (line 15, column 25): n (expected: the name"
        + " of another rate_limit)",
    "descriptors[3].rate_limit.replaces[1].name (line 15, column 29): nothing (expected:"
        + " the name of another rate_limit)",
    "descriptors[3].rate_limit.replaces[2] (line 15, column 33): x (expected: a mapping"
        + " with name)",
    "descriptors[3].rate_limit.replaces[2].name (line 15, column 33): nothing (expected:"
        + " the name of another rate_limit)",
    "descriptors[4] (line 16, column 5): text (expected: a mapping with key, value,"
        + " rate_limit, descriptors, shadow_mode, quota_mode, detailed_metric,"
        + " value_to_metric, share_threshold, metadata)",
    "descriptors[4].key (line 16, column 5): nothing (expected: a key of at least one"
        + " character)"
  };

  private static List<String> problems(String text) {
    InvalidPolicyException refused =
        catchThrowableOfType(InvalidPolicyException.class, () -> RatelimitYaml.read(text));
    assertThat(refused).isNotNull();
    return refused.problems().stream().map(Problem::toString).toList();
  }

  @Test
  void read_manyMistakes_areAllToldWithLineAndColumn() {
    assertThat(
            problems(
                """
                domain: ""
                descriptors:
                  - key: ""
                  - key: a
                    rate_limit: {unit: fortnight, requests_per_unit: -1}
                    colour: red
                  - key: a
                  - key: b
                    share_threshold: true
                    shadow_mode: "yes"
                    rate_limit:
                      unlimited: true
                      unit: second
                      name: n
                      replaces: [{name: n}, {}, x]
                  - text
                """))
        .containsExactlyInAnyOrder(MISTAKES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      value = {
        "# nothing -> domain: and descriptors:",
        "[1, 2] -> a mapping with domain, descriptors",
        "{domain: a, descriptors: 7} -> a list",
        "{domain: a, domain: b} -> each field once",
        "{domain: [a]} -> a text",
        "{domain: a, descriptors: [{key: -> YAML",
        "{domain: &a [*a]} -> a text",
      })
  void read_brokenFile_isRefused(String text, String expected) {
    assertThat(problems(text)).anySatisfy(each -> assertThat(each).contains(expected));
  }

  @Test
  void read_descriptorsInsideThemselves_areRefused() {
    assertThat(
            problems(
                """
                domain: a
                descriptors: &again
                  - key: k
                    value: v
                    descriptors: *again
                """))
        .anySatisfy(each -> assertThat(each).contains("at most 16 levels, not 17"));
  }
}
