package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.policy.Descriptor;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An order replaces the limits of a key, and nothing else that its policy says. */
class OverrideTermsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Bench bench = new Bench();

  private static String tenADay(String terms) {
    return "{\"limits\":[\"10/day\"]," + terms + "}";
  }

  private static Answer check(Bench bench, long cost) {
    CheckRequest request =
        new CheckRequest(
            "api",
            List.of(new Asked(Descriptor.of("user", "42"), cost, null)),
            /* requestId= */ null,
            /* mayRefund= */ false);
    return Bench.kept(done -> bench.node.check(request, done));
  }

  @Test
  void override_ofAStrictKey_staysStrictAlsoAfterARestart(@TempDir Path folder) {
    Bench first = new Bench(folder, new ManualClock());
    first.policy("api/user", tenADay("\"consistency\":\"strict\""));
    first.override("20/day", HOUR, "user", "42");
    assertThat(check(first, 1).durability()).isEqualTo(Durability.STRICT);
    Bench second = first.restarted();
    Answer answer = check(second, 1);
    assertThat(answer.durability()).isEqualTo(Durability.STRICT);
    assertThat(answer.remaining()).isEqualTo(18);
  }

  /** The shard of this test has no folder, as if its disk were away (R10). */
  @Test
  void override_whileItsPolicyChanges_failsAsThePolicyDoes() {
    bench.policy("api/user", tenADay("\"consistency\":\"strict\""));
    bench.override("20/day", HOUR, "user", "42");
    assertThat(check(bench, 1).why()).isEqualTo(Why.FAIL_CLOSED);
    bench.policy("api/user", tenADay("\"consistency\":\"strict\",\"failMode\":\"open\""));
    assertThat(check(bench, 1).remaining()).isEqualTo(19);
    bench.policy("api/user", tenADay("\"consistency\":\"none\""));
    assertThat(check(bench, 1).durability()).isEqualTo(Durability.NONE);
  }

  @Test
  void override_inShadow_deniesNothing() {
    bench.policy("api/user", tenADay("\"shadow\":true"));
    bench.override("2/day", HOUR, "user", "42");
    check(bench, 2);
    assertThat(check(bench, 1).why()).isEqualTo(Why.SHADOW);
    bench.policy("api/user", tenADay("\"shadow\":false"));
    assertThat(check(bench, 1).why()).isEqualTo(Why.LIMITED);
  }

  @Test
  void override_whereEverybodyMayGiveBack_everybodyMay() {
    bench.policy("api/user", tenADay("\"refunds\":true"));
    bench.override("20/day", HOUR, "user", "42");
    check(bench, 5);
    assertThat(check(bench, -3).remaining()).isEqualTo(18);
    bench.policy("api/user", tenADay("\"refunds\":false"));
    assertThatThrownBy(() -> check(bench, -1)).isInstanceOf(RefundRefusedException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"unlimited\":true,\"shadow\":true}",
        "{\"blocked\":true,\"shadow\":true}",
        "{\"limits\":[\"10/day\"],\"enabled\":false,\"shadow\":true}"
      })
  void override_whereNothingIsCounted_limitsAllTheSame(String policy) {
    bench.policy("api/user", policy);
    bench.override("2/day", HOUR, "user", "42");
    assertThat(check(bench, 2).why()).isEqualTo(Why.OK);
    assertThat(check(bench, 1).why()).isEqualTo(Why.LIMITED);
  }
}
