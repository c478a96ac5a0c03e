package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.policy.Descriptor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leases and reservations, whatever else their policy says. */
class LeaseTest {
  private final Bench bench = new Bench();

  private boolean isAcquired(String... keysAndValues) {
    CheckRequest one = CheckRequest.of("api", List.of(Descriptor.of(keysAndValues)), /* cost= */ 1);
    Held held = Bench.now(done -> bench.node.acquire(one, Node.LEASE_OF_POLICY, done));
    return held.answer().allowed();
  }

  @Test
  void release_policyHasARateToo_freesTheSlotAndNothingElse() {
    bench.policy("api/job", "{\"limits\":[\"3 concurrent lease 30s\",\"10/day\"]}");
    for (int i = 0; i < 10; i++) {
      String id = bench.acquire(Node.LEASE_OF_POLICY, "job", "x");
      assertThat(bench.release(id)).isEqualTo(Settled.DONE);
    }
    assertThat(isAcquired("job", "x")).isFalse();
  }

  @Test
  void release_nothingIsCounted_isDone() {
    bench.policy("api/vip", "{\"unlimited\":true}");
    for (String key : List.of("vip", "nobody")) {
      String id = bench.acquire(Node.LEASE_OF_POLICY, key, "x");
      assertThat(bench.renew(id)).as(key).isEqualTo(Settled.DONE);
      assertThat(bench.release(id)).as(key).isEqualTo(Settled.DONE);
    }
  }

  @Test
  void acquire_noTimeGivenAndNoSlotHeld_lastsAMinuteFromTheLastRenewal() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"]}");
    for (String key : List.of("user", "nobody")) {
      String id = bench.acquire(Node.LEASE_OF_POLICY, key, "x");
      String other = bench.acquire(Node.LEASE_OF_POLICY, key, "x");
      bench.clock.advance(Duration.ofMinutes(1).minusNanos(1));
      assertThat(bench.renew(id)).as(key).isEqualTo(Settled.DONE);
      bench.clock.advance(Duration.ofMinutes(1).minusNanos(1));
      assertThat(bench.release(id)).as(key).isEqualTo(Settled.DONE);
      assertThat(bench.release(other)).as(key).isEqualTo(Settled.OVER);
    }
  }

  @Test
  void release_inShadow_freesTheSlot() {
    bench.policy("api/job", "{\"limits\":[\"2 concurrent lease 30s\"],\"shadow\":true}");
    for (int i = 0; i < 5; i++) {
      String id = bench.acquire(60_000, "job", "x");
      assertThat(bench.check(0, "job", "x").remaining()).isEqualTo(1);
      assertThat(bench.renew(id)).isEqualTo(Settled.DONE);
      assertThat(bench.release(id)).isEqualTo(Settled.DONE);
    }
    assertThat(bench.check(0, "job", "x").remaining()).isEqualTo(2);
  }

  @Test
  void reserve_inShadow_isSettledLikeAnyOther() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"],\"shadow\":true}");
    bench.cancel(bench.reserve(6, "user", "42"));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
    bench.commit(bench.reserve(2, "user", "42"), 8);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(2);
    bench.cancel(bench.reserve(6, "user", "42"));
    assertThat(bench.check(0, "user", "42").remaining()).as("what was not taken").isEqualTo(2);
  }

  /** The shard of this test has no folder, as if its disk were away (R10). */
  @Test
  void r10_settledOfAStrictPolicyAndNotKept_isNotSaidToBeDone() {
    bench.policy(
        "api/user", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\",\"failMode\":\"open\"}");
    String id = bench.reserve(6, "user", "42");
    assertThatThrownBy(() -> bench.commit(id, 2))
        .hasRootCauseInstanceOf(UnavailableException.class);
    assertThat(bench.check(0, "user", "42").remaining()).as("once").isEqualTo(8);
  }

  @Test
  void reserve_noRoomToKeepIt_failsByItsModeAndTakesNothingAndOrdersStillHaveRoom() {
    Bench crowded = Bench.ofNotes(32);
    crowded.policy("api/open", "{\"limits\":[\"1000/day\"]}");
    crowded.policy("api/closed", "{\"limits\":[\"1000/day\"],\"failMode\":\"closed\"}");
    int kept = 0;
    while (reserved(crowded, "open").id() != null) {
      kept++;
    }
    assertThat(kept).isGreaterThan(16);
    assertThat(reserved(crowded, "open").answer().why()).isEqualTo(Why.FAIL_OPEN);
    assertThat(reserved(crowded, "closed").answer().why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(crowded.check(0, "open", "x").remaining()).isEqualTo(1_000 - kept);
    assertThat(crowded.check(0, "closed", "x").remaining()).isEqualTo(1_000);
    crowded.block(Duration.ofHours(1), "open", "x");
    assertThat(crowded.check(1, "open", "x").why()).isEqualTo(Why.BLOCKED);
    assertThat(reserved(crowded, "open").answer().why()).isEqualTo(Why.BLOCKED);
  }

  private static Held reserved(Bench bench, String key) {
    CheckRequest one = CheckRequest.of("api", List.of(Descriptor.of(key, "x")), /* cost= */ 1);
    return Bench.now(done -> bench.node.reserve(one, Duration.ofHours(1).toMillis(), done));
  }
}
