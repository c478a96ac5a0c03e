package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyYamlTest {
  private static List<String> read(String text) {
    return PolicyYaml.read(text).documents().stream()
        .map(it -> it.kind() + " " + it.name() + " " + it.document().json())
        .toList();
  }

  private static List<Problem> problems(String text) {
    List<Problem> problems = PolicyFile.problems(text);
    assertThat(problems).isNotEmpty();
    return problems;
  }

  @Test
  void read_documentsByName_areThoseOfTheApi() {
    String text =
        """
        # who may do what
        tiers:
          free: {limits: [10/s, 1000/day Europe/Paris], class: free}
        policies:
          api/user:
            tier: free
            override:
              shadow: true
          "api/endpoint=/search":
            limits:
              - "5/s"
            algorithm: token-bucket
            budgetMs: 20
        """;
    assertThat(read(text))
        .containsExactly(
            "TIER free {\"limits\":[\"10/s\",\"1000/day Europe/Paris\"],\"class\":\"free\"}",
            "POLICY api/user {\"tier\":\"free\",\"override\":{\"shadow\":true}}",
            "POLICY api/endpoint=/search"
                + " {\"limits\":[\"5/s\"],\"algorithm\":\"token-bucket\",\"budgetMs\":20}");
  }

  @Test
  void read_documentsAsLists_areTheSame() {
    String text =
        """
        policies:
          - scope: api/user
            limits: [10/s]
        tiers:
          - name: free
            unlimited: true
        """;
    assertThat(read(text))
        .containsExactly(
            "POLICY api/user {\"limits\":[\"10/s\"]}", "TIER free {\"unlimited\":true}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# only a comment\n", "---\n", "policies:\n", "tiers: {}\n"})
  void read_nothing_isNothing(String text) {
    assertThat(read(text)).isEmpty();
  }

  @Test
  void read_mistakes_areToldWithLineAndColumn() {
    String text =
        """
        tiers:
          free: {limits: [10/s, 20/s]}
        policies:
          api/user:
            limits:
              - 10/x
            Shadow: true
          api/user:
            limits: [1/s]
          nodomain: {limits: [1/s]}
        extra: 1
        """;
    assertThat(problems(text))
        .extracting(Problem::field)
        .containsExactly(
            "tiers.free.limits[1] (line 2, column 25)",
            "policies.api/user.Shadow (line 7, column 13)",
            "policies.api/user.limits[0] (line 6, column 9)",
            "policies.api/user (line 9, column 5)",
            "policies.nodomain (line 10, column 13)",
            "extra (line 11, column 8)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policies: 3",
        "[]",
        "text",
        "policies: [{limits: [1/s]}]",
        "policies: [3]",
        "policies: [{scope: 3, limits: [1/s]}]",
        "policies: {api/user: }",
        "policies: {api/user: {limits: [1/s]}",
        "policies:\n\t- x",
        "policies: {}\npolicies: {}\n",
        "policies: {}\n---\npolicies: {}\n",
        "policies:\n  a/b: &x {limits: [1/s]}\n  a/c: *x\n",
        "tiers: {a: {tier: b}}"
      })
  void read_otherThings_isAProblem(String text) {
    assertThat(problems(text)).isNotEmpty();
  }

  @Test
  void read_syntaxError_tellsLineAndColumnAndWhatMayBeWrong() {
    String expected =
        " (expected: YAML; a bracket, quote, colon or indentation up to here is wrong)";
    assertThat(problems("policies:\n  a: {limits: [1/s}\n"))
        .hasToString("[line 2, column 19: a: {limits: [1/s}" + expected + "]");
    assertThat(problems("policies:\n  a: : b\n"))
        .hasToString("[line 2, column 6: a: : b" + expected + "]");
    assertThat(problems("policies:\n\ta: {limits: [1/s]}\n"))
        .hasToString("[line 2, column 1: a: {limits: [1/s]} (expected: YAML, indented by spaces)]");
    assertThat(problems("policies: " + "{a: ".repeat(40) + "}".repeat(40)))
        .hasToString(
            "[document: nested too deep, or too long (expected: less deep or shorter YAML)]");
  }
}
