package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reset empties what limits have counted that do not apply at that moment. */
class ResetTest {
  private static final String TEN = "{\"limits\":[\"10/day\"],\"algorithm\":\"fixed-window\"}";

  private final Bench bench = new Bench();

  /** Uses 4 of 10, resets under another policy of a scope, and says what is left without it. */
  private long leftAfterResetUnder(String scope, @Nullable String document) {
    bench.policy("api/user", TEN);
    assertThat(bench.check(4, "user", "42").remaining()).isEqualTo(6);
    assertThat(bench.check(4, "user", "43").remaining()).isEqualTo(6);
    bench.policy(scope, document);
    bench.reset("user", "42");
    if (!scope.equals("api/user")) {
      bench.policy(scope, null);
    }
    bench.policy("api/user", TEN);
    assertThat(bench.check(0, "user", "43").remaining()).as("another key").isEqualTo(6);
    return bench.check(0, "user", "42").remaining();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"unlimited\":true}",
        "{\"limits\":[\"10/day\"],\"enabled\":false}",
        "{\"limits\":[\"20/hour\"]}",
        "{\"limits\":[\"20/day\"],\"algorithm\":\"sliding-window-log\"}",
        "{\"limits\":[\"3 concurrent lease 60s\"]}"
      })
  void reset_underAMoreSpecificPolicy_emptiesWhatTheGeneralOneCounted(String document) {
    assertThat(leftAfterResetUnder("api/user=42", document)).isEqualTo(10);
  }

  @Test
  void reset_policyBecameUnlimited_emptiesWhatItCounted() {
    assertThat(leftAfterResetUnder("api/user", "{\"unlimited\":true}")).isEqualTo(10);
  }

  @Test
  void reset_policyWasDeleted_emptiesWhatItCounted() {
    assertThat(leftAfterResetUnder("api/user", null)).isEqualTo(10);
  }

  @Test
  void reset_limitWasTakenAway_emptiesWhatItCounted() {
    bench.policy("api/user", "{\"limits\":[\"10/day\",\"100/hour\"]}");
    bench.check(7, "user", "42");
    bench.policy("api/user", "{\"limits\":[\"20/hour\"]}");
    bench.reset("user", "42");
    bench.policy("api/user", "{\"limits\":[\"10/day\",\"100/hour\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sliding-window-log", "sliding-window-counter", "gcra"})
  void reset_deletedPolicyOfAnyAlgorithm_emptiesWhatItCounted(String algorithm) {
    String document = "{\"limits\":[\"10/day\"],\"algorithm\":\"" + algorithm + "\"}";
    bench.policy("api/user", document);
    bench.check(4, "user", "42");
    bench.policy("api/user", null);
    bench.reset("user", "42");
    bench.policy("api/user", document);
    assertThat(bench.check(10, "user", "42").allowed()).isTrue();
  }

  @Test
  void reset_deletedPolicyOfHeldSlots_freesThem() {
    bench.policy("api/user", "{\"limits\":[\"2 concurrent lease 60s\"]}");
    bench.acquire(60_000, "user", "42");
    bench.policy("api/user", null);
    bench.reset("user", "42");
    bench.policy("api/user", "{\"limits\":[\"2 concurrent lease 60s\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(2);
  }

  @Test
  void reset_afterAnOverrideOfAnotherPeriod_emptiesWhatItCounted() {
    bench.override("10/week", Duration.ofHours(1), "user", "42");
    bench.check(4, "user", "42");
    bench.override("10/week", Duration.ofSeconds(-1), "user", "42");
    bench.reset("user", "42");
    bench.policy("api/user", "{\"limits\":[\"10/week\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
  }

  @Test
  void reset_afterARestart_emptiesWhatDeletedPoliciesAndTiersOfBeforeCounted(@TempDir Path folder) {
    Bench first = new Bench(folder, new ManualClock());
    first.tier("t", "{\"limits\":[\"10/hour\"]}");
    first.policy("api/user", "{\"tier\":\"t\"}");
    first.check(4, "user", "42");
    first.policy("api/file", TEN);
    first.check(4, "file", "42");
    first.policy("api/user", null).policy("api/file", null);
    Bench next = first.restarted();
    next.reset("user", "42");
    next.reset("file", "42");
    next = next.restarted();
    next.policy("api/user", "{\"limits\":[\"10/hour\"]}").policy("api/file", TEN);
    assertThat(next.check(0, "user", "42").remaining()).isEqualTo(10);
    assertThat(next.check(0, "file", "42").remaining()).isEqualTo(10);
  }
}
