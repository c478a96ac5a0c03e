package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys under limits of their own for a while: what they are told, and what they have used then. */
class OverrideTest {
  private static final String TEN_A_DAY = "{\"limits\":[\"10/day\"]}";

  private final Bench bench = new Bench();

  private void admittedOnlyAfter(Answer denied, long cost) {
    assertThat(denied.allowed()).isFalse();
    bench.clock.advanceNanos(denied.retryAfterNanos() - 1);
    assertThat(bench.check(cost, "user", "42").allowed()).as("a nanosecond before").isFalse();
    bench.clock.advanceNanos(1);
    assertThat(bench.check(cost, "user", "42").allowed()).isTrue();
  }

  @Test
  void override_thatEndsBeforeTheWait_tellsTheWaitUnderThePolicy() {
    bench.policy("api/user", "{\"limits\":[\"100/min\"]}");
    bench.override("10/hour", Duration.ofSeconds(60), "user", "42");
    bench.check(10, "user", "42");
    Answer denied = bench.check(5, "user", "42");
    assertThat(denied.retryAfterNanos()).isEqualTo(Duration.ofSeconds(60).toNanos());
    assertThat(denied.part().meters().get(0).retryAfterNanos()).isEqualTo(denied.retryAfterNanos());
    admittedOnlyAfter(denied, 5);
  }

  @Test
  void override_thatAdmitsNoSuchCost_tellsWhenThePolicyDoes() {
    bench.policy("api/user", "{\"limits\":[\"100/min\"]}");
    bench.override("10/hour", Duration.ofSeconds(60), "user", "42");
    Answer denied = bench.check(20, "user", "42");
    assertThat(denied.why()).isEqualTo(Why.LIMITED);
    admittedOnlyAfter(denied, 20);
    bench.override("10/hour", Duration.ofSeconds(60), "user", "42");
    Answer never = bench.check(200, "user", "42");
    assertThat(never.why()).isEqualTo(Why.NEVER);
    assertThat(never.retryAfterNanos()).isEqualTo(Long.MAX_VALUE);
  }

  /** 99 units are used when ten a day take over: room for two is days away. */
  @Test
  void override_thatEndsBeforeTheWait_addsWhatThePolicyAsks() {
    bench.policy("api/user", TEN_A_DAY);
    bench.override("100/hour", Duration.ofSeconds(36), "user", "42");
    bench.check(100, "user", "42");
    admittedOnlyAfter(bench.check(2, "user", "42"), 2);
  }

  @Test
  void block_beyondTheEndOfAnOverride_tellsWhatThePolicyAsksThen() {
    bench.policy("api/user", TEN_A_DAY);
    bench.override("1000/day", Duration.ofMinutes(10), "user", "42");
    bench.check(500, "user", "42");
    bench.block(Duration.ofMinutes(20), "user", "42");
    Answer blocked = bench.check(1, "user", "42");
    assertThat(blocked.why()).isEqualTo(Why.BLOCKED);
    admittedOnlyAfter(blocked, 1);
  }

  @Test
  void block_thatEndsBeforeAnOverride_tellsWhatThePolicyAsksAfterBoth() {
    bench.policy("api/user", TEN_A_DAY);
    bench.override("1000/day", Duration.ofMinutes(10), "user", "42");
    bench.check(1_000, "user", "42");
    bench.block(Duration.ofSeconds(10), "user", "42");
    admittedOnlyAfter(bench.check(8, "user", "42"), 8);
  }

  @Test
  void override_ofOneOfSeveralKeys_tellsTheWaitUnderItsPolicy() {
    bench.policy("api/user", "{\"limits\":[\"100/min\"]}").policy("api/org", TEN_A_DAY);
    bench.override("10/hour", Duration.ofSeconds(60), "user", "42");
    bench.check(8, "user", "42");
    Descriptor user = Descriptor.of("user", "42");
    List<Descriptor> keys = List.of(user, Descriptor.of("org", "7"), user);
    Answer denied = bench.check(CheckRequest.of("api", keys, 2));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.parts()).extracting(Part::allowed).containsExactly(false, true, false);
    assertThat(denied.retryAfterNanos()).isEqualTo(Duration.ofSeconds(60).toNanos());
    bench.clock.advance(Duration.ofSeconds(60));
    assertThat(bench.check(CheckRequest.of("api", keys, 2)).allowed()).isTrue();
  }

  @Test
  void reset_timeOfAnOverriddenKey_isThatUnderThePolicy() {
    bench.policy("api/user", TEN_A_DAY);
    bench.override("100/hour", Duration.ofSeconds(36), "user", "42");
    Answer taken = bench.check(5, "user", "42");
    assertThat(taken.allowed()).isTrue();
    assertThat(taken.resetAfterNanos())
        .as("four are left of it when ten a day take over")
        .isEqualTo(
            Duration.ofSeconds(36).plus(Duration.ofHours(24 * 4 / 10)).toNanos()
                + Duration.ofMinutes(36).toNanos());
  }

  /** The rules of the policy are older than the override: it is the end of that which counts. */
  @Test
  void override_endsUnderAPolicyChangedLongBefore_keepsWhatWasUsedInUnits() {
    bench.policy("api/user", TEN_A_DAY).policy("api/user", "{\"limits\":[\"20/day\"]}");
    bench.clock.advance(Duration.ofDays(1));
    bench.override("100/day", Duration.ofSeconds(1), "user", "42");
    bench.check(8, "user", "42");
    bench.clock.advance(Duration.ofSeconds(1));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(12);
  }

  @Test
  void policy_ofOneKeyDeletedUnderAScopeChangedLongBefore_keepsWhatWasUsedInUnits() {
    bench.policy("api/user", TEN_A_DAY).policy("api/user", "{\"limits\":[\"20/day\"]}");
    bench.clock.advance(Duration.ofDays(1));
    bench.policy("api/user=42", "{\"limits\":[\"100/day\"]}");
    bench.check(8, "user", "42");
    bench.policy("api/user=42", null);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(12);
  }

  @Test
  void override_whileItsPolicyChanges_continuesUnderTheNewOne() {
    bench.policy("api/user", TEN_A_DAY).policy("api/user", "{\"limits\":[\"20/day\"]}");
    bench.override("100/day", Duration.ofSeconds(10), "user", "42");
    bench.check(8, "user", "42");
    bench.clock.advance(Duration.ofSeconds(5));
    bench.policy("api/user", "{\"limits\":[\"30/day\"]}");
    bench.clock.advance(Duration.ofSeconds(10));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(22);
  }

  @Test
  void override_ofAWindow_isAWindow() {
    bench.policy("api/user", "{\"limits\":[\"10/hour\"],\"algorithm\":\"fixed-window\"}");
    bench.override("20/hour", Duration.ofHours(3), "user", "42");
    bench.check(20, "user", "42");
    bench.clock.advance(Duration.ofMinutes(59));
    assertThat(bench.check(1, "user", "42").allowed()).isFalse();
    bench.clock.advance(Duration.ofMinutes(1));
    assertThat(bench.check(20, "user", "42").allowed()).isTrue();
    bench.override("20/hour burst 40", Duration.ofHours(3), "user", "42");
    assertThat(bench.check(0, "user", "42").limit()).as("what only a bucket has").isEqualTo(40);
  }

  @Test
  void override_otherPeriod_readsTheSameCounterAfterARestart(@TempDir Path folder) {
    Bench first = new Bench(folder, new ManualClock());
    first.policy("api/user", TEN_A_DAY);
    first.check(8, "user", "42");
    first.override("100/hour", Duration.ofMinutes(10), "user", "42");
    assertThat(first.check(0, "user", "42").remaining()).isEqualTo(92);
    Bench second = first.restarted();
    assertThat(second.check(0, "user", "42").remaining()).isEqualTo(92);
  }

  /** The policy behind it is older than the state, which is still under the override. */
  @Test
  void override_policyOfTheKeyDeletedBehindIt_keepsWhatWasUsedInUnits() {
    bench.policy("api/user", "{\"limits\":[\"100/min\"]}");
    bench.policy("api/user", "{\"limits\":[\"60/min\"]}");
    bench.clock.advance(Duration.ofSeconds(20));
    bench.policy("api/user=42", "{\"limits\":[\"200/min\"]}");
    bench.check(5, "user", "42");
    bench.override("6000/min", Duration.ofMinutes(10), "user", "42");
    bench.policy("api/user=42", null);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(5_995);
    bench.override("6000/min", Duration.ZERO, "user", "42");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(55);
  }

  /** Others go on under the limit of the policy that is deleted. */
  @Test
  void policy_ofManyKeysDeletedUnderAScopeChangedLongBefore_keepsWhatWasUsedInUnits() {
    bench.policy("api/org", "{\"limits\":[\"200/min\"]}");
    bench.policy("api/user=4*", "{\"limits\":[\"200/min\"]}");
    bench.policy("api/user", "{\"limits\":[\"100/min\"]}");
    bench.policy("api/user", "{\"limits\":[\"60/min\"]}");
    bench.clock.advance(Duration.ofMinutes(10));
    bench.check(5, "user", "42");
    bench.policy("api/user=4*", null);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(55);
  }

  /** The scope it falls to began with the same limit, long before the key was asked about. */
  @Test
  void policy_ofManyKeysDeletedWhereAllBeganAlike_keepsWhatWasUsedInUnits() {
    String sixty = "{\"limits\":[\"60/min\"]}";
    bench.policy("api/org", sixty).policy("api/user=4*", sixty).policy("api/user", sixty);
    bench.policy("api/user", "{\"limits\":[\"30/min\"]}");
    bench.clock.advance(Duration.ofHours(1));
    bench.check(1, "user", "42");
    bench.policy("api/user=4*", null);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(29);
  }

  @Test
  void policy_ofManyKeysDeletedAfterARestart_keepsWhatWasUsedInUnits(@TempDir Path folder) {
    String sixty = "{\"limits\":[\"60/min\"]}";
    Bench first = new Bench(folder, new ManualClock());
    first.policy("api/org", sixty).policy("api/user=4*", sixty).policy("api/user", sixty);
    first.check(1, "user", "42");
    Bench second = first.restarted();
    second.policy("api/user", "{\"limits\":[\"30/min\"]}");
    second.clock.advance(Duration.ofHours(1));
    second.check(1, "user", "42");
    second.policy("api/user=4*", null);
    assertThat(second.check(0, "user", "42").remaining()).isEqualTo(29);
  }

  /** Nobody asks while the wildcard holds: its minute counts all the same. */
  @Test
  void policy_ofOneKeyPutAfterOneOfManyThatNobodyTouched_keepsWhatWasUsedUnderThat() {
    bench.policy("api/user", "{\"limits\":[\"600/min\"]}");
    bench.check(600, "user", "42");
    bench.policy("api/user=4*", "{\"limits\":[\"6/min\"]}");
    bench.clock.advance(Duration.ofMinutes(1));
    bench.policy("api/user=42", "{\"limits\":[\"600/min\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(6);
  }
}
