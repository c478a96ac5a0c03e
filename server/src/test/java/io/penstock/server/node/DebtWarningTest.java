package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.policy.Kind;
import io.penstock.server.policy.Written;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who lowers a limit is told that keys may owe more than fits by then. */
class DebtWarningTest {
  private static final String OWED =
      "keys that have used more than 20 wait until it has drained at 20/day;"
          + " forgive=true cuts what they owe";

  private final Bench bench = new Bench();

  private static String limits(String... limits) {
    return "{\"limits\":[\"" + String.join("\",\"", limits) + "\"]}";
  }

  private List<String> warnings(Kind kind, String name, boolean forgives, String document) {
    return bench
        .node
        .policies()
        .write(
            kind,
            name,
            forgives,
            () -> {
              bench.put(kind, name, document);
              return new Written(/* version= */ 1, List.of());
            })
        .warnings();
  }

  private List<String> policy(String scope, String document) {
    return warnings(Kind.POLICY, scope, /* forgives= */ false, document);
  }

  private List<String> tier(String document) {
    return warnings(Kind.TIER, "free", /* forgives= */ false, document);
  }

  @Test
  void policy_oneOfItsLimitsLowered_warnsOfThatOne() {
    assertThat(policy("api/user", limits("10/s", "100/day"))).isEmpty();
    assertThat(policy("api/user", limits("10/s", "20/day"))).containsExactly(OWED);
    assertThat(policy("api/user", limits("10/s", "20/day"))).as("no less than before").isEmpty();
    assertThat(policy("api/user=acme", limits("5/s", "19/day"))).hasSize(2);
    assertThat(policy("api/user", limits("20/day", "5/min", "10/s"))).as("one more").isEmpty();
  }

  @Test
  void policy_otherPeriod_warnsIfLessFitsThere() {
    policy("api/user", limits("100/hour"));
    assertThat(policy("api/user", limits("20/day"))).containsExactly(OWED);
    assertThat(policy("api/user", limits("20/min"))).isEmpty();
  }

  @Test
  void policy_loweredAndForgiven_warnsOfNothing() {
    policy("api/user", limits("100/day"));
    assertThat(warnings(Kind.POLICY, "api/user", /* forgives= */ true, limits("20/day"))).isEmpty();
  }

  @Test
  void tier_lowered_warnsIfAnybodyHasItsLimits() {
    assertThat(tier(limits("100/day"))).isEmpty();
    assertThat(tier(limits("50/day"))).as("nobody has them").isEmpty();
    policy("api/user=acme", "{\"tier\":\"free\",\"override\":{\"limits\":[\"90/day\"]}}");
    assertThat(tier(limits("40/day"))).as("only other ones").isEmpty();
    policy("api/user", "{\"tier\":\"free\",\"override\":{\"shadow\":true}}");
    assertThat(tier(limits("20/day"))).containsExactly(OWED);
    assertThat(tier(limits("30/day"))).isEmpty();
  }
}
