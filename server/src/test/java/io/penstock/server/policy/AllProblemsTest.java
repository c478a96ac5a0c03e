package io.penstock.server.policy;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.policy.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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

  @Test
  void problems_severalConcurrentLimits_tellEachBehindTheFirst() {
    String limits = "'5 concurrent lease 10s','10/x','6 concurrent lease 20s'";
    String one = "limits[2]: 6 concurrent lease 20s (expected: one concurrent limit)";
    assertThat(told("{'limits':[" + limits + "]}"))
        .hasSize(2)
        .anyMatch(each -> each.startsWith("limits[1]: 10/x "))
        .contains(one);
    assertThat(told("{'tier':'a','override':{'limits':[" + limits + "]}}"))
        .contains("override." + one);
    assertThat(PolicyDocument.problems(Kind.TIER, json("{'limits':[" + limits + "]}")))
        .extracting(Problem::toString)
        .contains(one);
    List<Problem> ofKey = new ArrayList<>();
    var unused =
        LimitChecks.read(
            Map.of("limits[0]", "5 concurrent lease 10s", "limits[2]", "6 concurrent lease 20s"),
            ofKey);
    assertThat(ofKey).singleElement().asString().endsWith("(expected: one concurrent limit)");
  }

  @Test
  void problems_ofTooManyLimits_tellEachOfThem() {
    String good = IntStream.range(1, 17).mapToObj(i -> "'1/" + i + "s',").collect(joining());
    List<String> told = told("{'limits':['10/x'," + good + "'0/s']}");
    assertThat(told)
        .hasSize(3)
        .anyMatch(each -> each.startsWith("limits: ") && each.contains("a list of 1..16"))
        .anyMatch(each -> each.startsWith("limits[0]: 10/x "))
        .anyMatch(each -> each.startsWith("limits[17]: 0/s "));
    assertThat(told("{'limits':[" + "'1/x',".repeat(5_000) + "'1/x']}")).hasSize(101);
  }

  @Test
  void problems_ofTooManySharedKeys_tellEachOfThem() {
    String good = "'user',".repeat(Scope.LEVELS_MAX);
    assertThat(told("{'limits':['1/s'],'share':[" + good + "5]}"))
        .hasSize(2)
        .anyMatch(each -> each.startsWith("share: "))
        .anyMatch(each -> each.startsWith("share[" + Scope.LEVELS_MAX + "]: 5 "));
  }

  @Test
  void problems_severalOfWhichOneIsAllowed_tellEachOfTheOthers() {
    assertThat(told("{'limits':['1/s'],'tier':'a','unlimited':true,'blocked':true}"))
        .containsExactlyInAnyOrder(
            "tier: a (expected: only one of limits, unlimited: true, blocked: true, tier)",
            "unlimited: true (expected: only one of limits, unlimited: true, blocked: true, tier)",
            "blocked: true (expected: only one of limits, unlimited: true, blocked: true, tier)");
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
  void put_severalStarsInARow_isRefusedWithTheRightSpelling(@TempDir Path folder) {
    assertThat(refused(folder, "api/user=a**", "{'limits':['1/s']}"))
        .containsExactly("scope: api/user=a** (expected: written as api/user=a*)");
    assertThat(PolicyFile.problems("policies: {'a/b=**': {limits: [1/s]}}"))
        .extracting(Problem::toString)
        .containsExactly(
            "policies.a/b=** (line 1, column 22): a/b=** (expected: written as a/b=*)");
  }

  @Test
  void put_overrideThatSharesNoKeyOfTheScope_tellsThatToo(@TempDir Path folder) {
    assertThat(refused(folder, "api/user", OVERRIDE))
        .hasSize(5)
        .contains("override.share[0]: nobody (expected: keys of the scope: user)");
  }

  @Test
  void put_unknownTierAndOtherMistakes_tellsAll(@TempDir Path folder) {
    String unknown = "tier: nope (expected: a tier that exists)";
    String text = "{'tier':'nope','override':{'limits':['10/x'],'foo':2},'zz':1}";
    assertThat(refused(folder, "api/user", text))
        .hasSize(4)
        .contains(unknown)
        .anyMatch(each -> each.startsWith("override.limits[0]: 10/x "))
        .anyMatch(each -> each.startsWith("override.foo: 2 "))
        .anyMatch(each -> each.startsWith("zz: 1 "));
    assertThat(refused(folder, "api/user", "{'limits':['10/x'],'tier':'nope','unlimited':true}"))
        .hasSize(4)
        .contains(unknown)
        .anyMatch(each -> each.startsWith("limits[0]: 10/x "))
        .anyMatch(each -> each.startsWith("tier: nope (expected: only one of"))
        .anyMatch(each -> each.startsWith("unlimited: true (expected: only one of"));
    assertThat(refused(folder, "*/user", "{'tier':'nope'}")).hasSize(2).contains(unknown);
  }

  @Test
  void put_limitsThatDoNotFitTheTierAndOtherMistakes_tellsAll(@TempDir Path folder) {
    try (PolicyStore store = PolicyStore.open(folder.resolve("policies.db"), () -> Instant.EPOCH)) {
      String tier = json("{'limits':['1/s'],'algorithm':'fixed-window'}");
      store.put(Kind.TIER, "free", tier, new Expected.Absent(), "test");
    }
    String text = "{'tier':'free','override':{'limits':['2/s burst 5','1/s']},'shadow':5}";
    assertThat(refused(folder, "api/user", text))
        .containsExactlyInAnyOrder(
            "shadow: 5 (expected: true or false)",
            "override.limits[0]: 2/s burst 5 (expected: no burst with fixed-window)",
            "override.limits[1]: 1/s (expected: another period than override.limits[0]:"
                + " 2/s burst 5)");
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

  @Test
  void file_tiersThatAreUnknownOrDoNotFitAndOtherMistakes_tellsAll(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("policies.yaml");
    try (PolicyStore store = PolicyStore.open(folder.resolve("policies.db"), () -> Instant.EPOCH)) {
      String api = json("{'limits':['1/s'],'algorithm':'fixed-window'}");
      store.put(Kind.TIER, "api", api, new Expected.Absent(), "test");
      PolicyFile policies = new PolicyFile(file, store, () -> Instant.EPOCH);
      Files.writeString(file, "tiers: {old: {limits: [1/s]}}");
      policies.load();
      Files.writeString(
          file,
          """
          tiers:
            free: {limits: [1/s], algorithm: fixed-window}
            bad: {limits: [1/s], algorithm: nope}
            none: 5
          policies:
            a/a: {tier: nope}
            a/b: {tier: old}
            a/c: {tier: free, override: {limits: [2/s burst 3]}}
            a/d: {tier: api, override: {limits: [2/s burst 3]}}
            a/e: {tier: nope2, override: {limits: [1/x]}}
            a/f: {tier: bad}
            a/g: {tier: none}
            a/h: {}
          """);
      policies.load();
      assertThat(policies.trouble())
          .contains("policies.a/a.tier (line 6, column 15): nope (expected: a tier that exists)")
          .contains("policies.a/b.tier (line 7, column 15): old (expected: a tier that exists)")
          .contains("policies.a/c.override.limits[0] (line 8, column ")
          .contains("policies.a/d.override.limits[0] (line 9, column ")
          .contains("policies.a/e.tier (line 10, column 15): nope2 (expected: a tier that exists)")
          .contains("policies.a/e.override.limits[0] (line 10, column ")
          .doesNotContain("a/f")
          .doesNotContain("a/g")
          .contains("tiers.bad.algorithm", "tiers.none", "policies.a/h");
    }
  }
}
