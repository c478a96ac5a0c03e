package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that is wrong with a document that is put is told at once, also what it holds. */
class AllProblemsTest {
  private static final String OVERRIDE =
      "{'tier':'free','override':{'limits':['10/s','20/s','5/x'],'failMode':'maybe',"
          + "'share':['nobody']}}";

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static List<String> told(String text) {
    return PolicyDocument.problems(Kind.POLICY, json(text)).stream()
        .map(Problem::toString)
        .toList();
  }

  @Test
  void problems_ofAnOverride_areToldWithAllOthers() {
    assertThat(told(OVERRIDE))
        .hasSize(3)
        .anyMatch(each -> each.startsWith("override.limits[2]: 5/x "))
        .anyMatch(each -> each.startsWith("override.failMode: maybe "))
        .contains(
            "override.limits[1]: 20/s (expected: another period than override.limits[0]: 10/s)");
  }

  @Test
  void problems_ofAnOverrideWithItsAlgorithm_tellWhatThatCannotCount() {
    assertThat(
            told(
                "{'tier':'free','override':{'limits':['1/s burst 2'],'algorithm':'fixed-window'},"
                    + "'shadow':1}"))
        .containsExactly(
            "shadow: 1 (expected: true or false)",
            "override.limits[0]: 1/s burst 2 (expected: no burst with fixed-window)");
  }

  @Test
  void problems_limitThatIsWrongAloneAndBesideAnother_areBothTold() {
    assertThat(told("{'limits':['20/s','10/s burst 30'],'algorithm':'fixed-window'}"))
        .containsExactly(
            "limits[1]: 10/s burst 30 (expected: no burst with fixed-window)",
            "limits[1]: 10/s burst 30 (expected: another period than limits[0]: 20/s)");
  }

  private static List<String> refused(Path folder, String scope, String text) {
    InstantSource clock = () -> Instant.EPOCH;
    try (PolicyStore store = PolicyStore.open(folder.resolve("policies.db"), clock)) {
      Expected absent = new Expected.Absent();
      InvalidPolicyException refusal =
          catchThrowableOfType(
              InvalidPolicyException.class,
              () -> store.put(Kind.POLICY, scope, json(text), absent, "test"));
      return refusal.problems().stream().map(Problem::toString).toList();
    }
  }

  @Test
  void put_scopeAndDocumentWrong_tellsBoth(@TempDir Path folder) {
    assertThat(refused(folder, "*/user", "{'limits':['1/x']}"))
        .hasSize(2)
        .anyMatch(each -> each.startsWith("scope: */user "))
        .anyMatch(each -> each.startsWith("limits[0]: 1/x "));
  }

  @Test
  void put_overrideThatSharesNoKeyOfTheScope_tellsThatToo(@TempDir Path folder) {
    assertThat(refused(folder, "api/user", OVERRIDE))
        .hasSize(4)
        .contains("override.share[0]: nobody (expected: keys of the scope: user)");
  }

  @Test
  void file_overridesWithMistakes_tellsAllOfAllDocuments() {
    String yaml =
        """
        tiers: {free: {limits: [1/s]}}
        policies:
          api/user: {tier: free, override: {limits: [1/s, 2/s], failMode: maybe, share: [nobody]}}
          api/key: {tier: free, override: {limits: [1/x], shadow: 5}}
        """;
    assertThat(PolicyFile.problems(yaml)).hasSize(5);
  }
}
