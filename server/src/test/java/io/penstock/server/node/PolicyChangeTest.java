package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.policy.Kind;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies that change while keys are under them: what was used stays used. */
class PolicyChangeTest {
  private static final String TEN_A_DAY = "{\"limits\":[\"10/day\"]}";
  private static final String TIER = "{\"tier\":\"free\"}";

  private final Bench bench = new Bench();

  @Test
  void policy_changed_whatWasUsedStaysUsed() {
    bench.policy("api/user", TEN_A_DAY);
    bench.check(8, "user", "42");
    bench.policy("api/user", "{\"limits\":[\"12/day\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(4);
    bench.policy("api/user", "{\"limits\":[\"10/hour\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).as("another period").isEqualTo(2);
    bench.policy("api/user", "{\"limits\":[\"10/hour\",\"20/day\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(2);
    bench.policy("api/user", "{\"limits\":[\"10/hour\"],\"algorithm\":\"fixed-window\"}");
    assertThat(bench.check(0, "user", "42").remaining()).as("another algorithm").isEqualTo(2);
  }

  @Test
  void policy_otherPeriods_continueByPositionAndNewOnesBeginFresh() {
    bench.policy("api/user", "{\"limits\":[\"10/hour\"]}");
    bench.check(10, "user", "42");
    bench.policy("api/user", "{\"limits\":[\"100/day\",\"10/min\"]}");
    Part part = bench.check(0, "user", "42").part();
    assertThat(part.meters()).extracting(Meter::remaining).containsExactly(90L, 10L);
    bench.check(4, "user", "42");
    bench.policy("api/user", "{\"limits\":[\"10/min\",\"100/day\",\"10/hour\"]}");
    part = bench.check(0, "user", "42").part();
    assertThat(part.meters()).extracting(Meter::remaining).containsExactly(6L, 86L, 10L);
  }

  @Test
  void r13_changedToNoneAndBack_takesWhatWasUsedAlong() {
    bench.policy("api/user", TEN_A_DAY);
    bench.check(3, "user", "42");
    bench.policy("api/user", "{\"limits\":[\"10/day\"],\"consistency\":\"none\"}");
    assertThat(bench.check(4, "user", "42").remaining()).isEqualTo(3);
    bench.policy("api/user", TEN_A_DAY);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(3);
  }

  @Test
  void policy_changedAtNoon_isFeltAtNoonEvenIfNobodyLooks() {
    bench.policy("api/user", TEN_A_DAY);
    bench.check(10, "user", "42");
    bench.policy("api/user", "{\"limits\":[\"10/hour\"]}");
    bench.clock.advance(Duration.ofHours(1));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
  }

  @Test
  void policy_lowered_keepsTheDebtUnlessItIsForgiven() {
    bench.policy("api/user", TEN_A_DAY).policy("api/user=acme", TEN_A_DAY);
    bench.check(10, "user", "42");
    bench.check(10, "user", "acme");
    String five = "{\"limits\":[\"5/day\"]}";
    bench.policy("api/user", five).policy("api/user=acme", five);
    long fifth = Duration.ofDays(1).toNanos() / 5;
    for (String user : List.of("42", "acme")) {
      assertThat(bench.check(1, "user", user).retryAfterNanos()).isEqualTo(6 * fifth);
    }
    bench.node.policies().forgive(Kind.POLICY, "api/user");
    bench.node.policies().forgive(Kind.POLICY, "api/user=acme");
    for (String user : List.of("42", "acme")) {
      assertThat(bench.check(1, "user", user).retryAfterNanos()).isEqualTo(fifth);
    }
    bench.policy("api/user", TEN_A_DAY);
    assertThat(bench.check(0, "user", "42").remaining()).as("goes on from there").isEqualTo(5);
  }

  @Test
  void policy_putMoreSpecifically_continuesWhatTheKeyHasUsed() {
    bench.policy("api/user", TEN_A_DAY);
    bench.check(8, "user", "acme");
    bench.policy("api/user=acme", "{\"limits\":[\"100/day\"]}");
    assertThat(bench.check(0, "user", "acme").remaining()).isEqualTo(92);
    assertThat(bench.check(0, "user", "acme").part().policy()).isEqualTo("api/user=acme");
    bench.check(10, "user", "acme");
    bench.policy("api/user=acme", null);
    Answer back = bench.check(0, "user", "acme");
    assertThat(back.part().policy()).isEqualTo("api/user");
    assertThat(back.remaining()).as("18 are used").isZero();
  }

  @Test
  void tier_changed_everyPolicyFollowsAndContinues() {
    bench.tier("free", TEN_A_DAY).policy("api/user", "{\"tier\":\"free\"}");
    bench.policy("api/user=acme", "{\"tier\":\"free\",\"override\":{\"limits\":[\"50/day\"]}}");
    bench.check(8, "user", "42");
    bench.check(8, "user", "acme");
    bench.tier("free", "{\"limits\":[\"12/day\"]}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(4);
    assertThat(bench.check(0, "user", "acme").remaining()).isEqualTo(42);
    bench.tier("pro", "{\"limits\":[\"1000/day\"]}").policy("api/user", "{\"tier\":\"pro\"}");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(992);
  }

  @Test
  void tier_otherPeriod_staysUsedOverARestart(@TempDir Path folder) {
    Bench first = new Bench(folder, new ManualClock());
    first.tier("free", TEN_A_DAY).policy("api/user", "{\"tier\":\"free\"}");
    first.policy("api/user=acme", "{\"tier\":\"free\"}");
    first.check(8, "user", "42");
    first.check(7, "user", "acme");
    first.tier("free", "{\"limits\":[\"10/hour\"]}").tier("free", "{\"limits\":[\"10/week\"]}");
    first.policy("api/ip=1", "{\"tier\":\"free\"}");
    first.check(6, "ip", "1");
    Bench second = first.restarted();
    assertThat(second.check(0, "user", "42").remaining()).isEqualTo(2);
    assertThat(second.check(0, "user", "acme").remaining()).isEqualTo(3);
    assertThat(second.check(0, "ip", "1").remaining()).as("put later").isEqualTo(4);
    String changed = "{\"limits\":[\"10/month\",\"5/day\"]}";
    for (String scope : List.of("api/user", "api/user=acme", "api/ip=1", "api/user=other")) {
      assertThat(second.node.policies().counters(Kind.POLICY, scope, changed))
          .as(scope)
          .isEqualTo(first.node.policies().counters(Kind.POLICY, scope, changed));
    }
  }

  @Test
  void policy_changedThousandsOfTimes_costsNothing() {
    bench.policy("api/user", TEN_A_DAY).policy("api/user=acme", TEN_A_DAY);
    bench.check(8, "user", "42");
    bench.check(8, "user", "acme");
    for (int i = 0; i < 10_000; i++) {
      String limits = "{\"limits\":[\"" + (10 + i % 5_000) + "/day\"]}";
      bench.policy("api/user", limits).policy("api/user=acme", limits);
    }
    bench.policy("api/user", TEN_A_DAY).policy("api/user=acme", TEN_A_DAY);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(2);
    assertThat(bench.check(0, "user", "acme").remaining()).isEqualTo(2);
  }

  private static String limits(String limit) {
    return "{\"limits\":[\"" + limit + "\"]}";
  }

  private long remaining(String user) {
    return bench.check(0, "user", user).remaining();
  }

  /** What becomes of the policy that a key has left is no concern of that key. */
  @Test
  void policy_generalChangedAfterAKeyLeftIt_keyDrainsUnderTheSpecificOne() {
    bench.tier("free", limits("10/s burst 10"));
    for (String key : List.of("changed", "deleted", "tier")) {
      bench.policy("api/" + key, key.equals("tier") ? TIER : limits("10/s burst 10"));
      bench.check(10, key, "abc");
      bench.policy("api/" + key + "=a*", limits("1/day burst 10"));
      bench.policy("api/" + key + "=ab*", limits("1/day burst 11"));
    }
    bench.clock.advance(Duration.ofMinutes(10));
    bench.policy("api/changed", limits("20/s burst 10")).policy("api/deleted", null);
    bench.policy("api/changed", limits("30/s burst 10"));
    bench.tier("free", limits("20/s burst 10"));
    for (String key : List.of("changed", "deleted", "tier")) {
      assertThat(bench.check(0, key, "abc").remaining()).as(key).isEqualTo(1);
    }
  }

  @Test
  void policy_slowGeneralChangedAfterAKeyLeftIt_keyDrainsUnderTheSpecificOne() {
    bench.policy("api/user", limits("1/day burst 10"));
    bench.check(10, "user", "abc");
    bench.policy("api/user=a*", limits("10/s burst 10"));
    bench.clock.advance(Duration.ofMinutes(10));
    bench.policy("api/user", limits("2/day burst 10"));
    assertThat(remaining("abc")).isEqualTo(10);
  }

  /** Two more specific ones after each other: the minute under the first counts. */
  @Test
  void policy_putTwiceMoreSpecifically_keyDrainsUnderEachInItsTime() {
    bench.policy("api/user", limits("600/min"));
    bench.check(600, "user", "abc");
    bench.policy("api/user=a*", limits("6/min burst 600"));
    bench.clock.advance(Duration.ofMinutes(1));
    bench.policy("api/user=ab*", limits("60/min burst 600"));
    bench.clock.advance(Duration.ofMinutes(1));
    assertThat(remaining("abc")).isEqualTo(66);
  }

  /** Neither of these scopes covers the other, so no policy was at the second one before. */
  @Test
  void policy_putBesideOneThatOverlaps_continuesWhatTheKeyHasUsed() {
    for (String algorithm : List.of("gcra", "fixed-window", "sliding-window-log")) {
      String document = "{\"limits\":[\"%d/day\"],\"algorithm\":\"" + algorithm + "\"}";
      String key = algorithm + "/user";
      bench.policy("api/" + key + "=*c", String.format(Locale.ROOT, document, 10));
      bench.check(8, algorithm, "1", "user", "abc");
      bench.policy("api/" + key + "=ab*", String.format(Locale.ROOT, document, 20));
      assertThat(bench.check(0, algorithm, "1", "user", "abc").remaining())
          .as(algorithm)
          .isEqualTo(12);
    }
  }

  @Test
  void policy_overlappedAndChangedLater_keyDrainsUnderTheSpecificOne() {
    bench.policy("api/user=*c", limits("864000/day burst 10"));
    bench.check(10, "user", "abc");
    bench.policy("api/user=ab*", limits("1/day burst 10"));
    bench.clock.advance(Duration.ofMinutes(10));
    bench.policy("api/user=*c", limits("999999/day burst 10"));
    assertThat(remaining("abc")).isZero();
  }

  @Test
  void policy_ofManyKeysDeletedAndPutAgain_keyDrainsUnderTheGeneralOneBetween() {
    bench.policy("api/user", limits("10/s burst 10")).policy("api/org", limits("1/day burst 10"));
    bench.policy("api/user=a*", limits("1/day burst 10"));
    bench.policy("api/org=a*", limits("10/s burst 10"));
    bench.check(10, "user", "abc");
    bench.check(10, "org", "abc");
    bench.policy("api/user=a*", null).policy("api/org=a*", null);
    bench.clock.advance(Duration.ofMinutes(10));
    bench.policy("api/user=a*", limits("1/day burst 10"));
    bench.policy("api/org=a*", limits("10/s burst 10"));
    assertThat(remaining("abc")).isEqualTo(10);
    assertThat(bench.check(0, "org", "abc").remaining()).isZero();
  }

  @Test
  void forgive_keyThatComesLater_owesWhatItHasUsed() {
    bench.policy("api/user", limits("100/hour")).policy("api/user", limits("5/hour"));
    bench.node.policies().forgive(Kind.POLICY, "api/user");
    bench.clock.advance(Duration.ofDays(2));
    bench.policy("api/user=a*", limits("100/hour"));
    bench.check(50, "user", "abc");
    bench.policy("api/user=a*", null);
    assertThat(bench.check(0, "user", "abc").resetAfterNanos())
        .isEqualTo(Duration.ofHours(10).toNanos());
    bench.policy("api/user=a*", limits("100/hour"));
    assertThat(remaining("abc")).isEqualTo(50);
  }

  /** Much may happen in one instant: a key elsewhere at that of the change owes all it has used. */
  @Test
  void forgive_keyThatComesAtTheSameInstant_owesWhatItHasUsed() {
    bench.policy("api/user", limits("5/hour")).policy("api/user=a*", limits("100/hour"));
    bench.check(50, "user", "abc");
    bench.node.policies().forgive(Kind.POLICY, "api/user");
    bench.policy("api/user=a*", null);
    assertThat(bench.check(0, "user", "abc").resetAfterNanos())
        .isEqualTo(Duration.ofHours(10).toNanos());
  }
}
