package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.policy.Descriptor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What room orders take when they are over, and who gets it. */
class OrderRoomTest {
  private static final int ROOM = 64;
  private static final Duration FOREVER = Duration.ofDays(70 * 365);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static Bench crowdedBy(int overrides, int room) {
    Bench bench = Bench.ofNotes(room).policy("api/user", "{\"limits\":[\"1000/month\"]}");
    for (int i = 0; i < overrides; i++) {
      bench.override((2_000 + i) + "/month", SECOND, "user", "" + i);
    }
    return bench;
  }

  private static Held reserved(Bench bench, String user) {
    CheckRequest one = CheckRequest.of("api", List.of(Descriptor.of("user", user)), /* cost= */ 1);
    return Bench.now(done -> bench.node.reserve(one, Duration.ofHours(1).toMillis(), done));
  }

  private static int rules(Bench bench) {
    return bench.shard.rules().sharedCount();
  }

  /** Twenty units under ten a day count for two days. */
  @Test
  void override_endedEarly_isRememberedAsLongAsIfItHadEndedByItself() {
    Bench bench = new Bench().policy("api/user", "{\"limits\":[\"10/day\"]}");
    bench.override("20/day", FOREVER, "user", "42");
    bench.override("20/day", Duration.ZERO, "user", "42");
    long hash = bench.node.policies().keys().of("api", Descriptor.of("user", "42"));
    bench.clock.advance(Duration.ofDays(2).minusNanos(1));
    assertThat(bench.shard.notes().get(hash, KeyDesk.ORDER)).isNotNull();
    bench.clock.advanceNanos(1);
    assertThat(bench.shard.notes().get(hash, KeyDesk.ORDER)).isNull();
  }

  @Test
  void override_endedEarly_keepsWhatWasUsedInUnits() {
    Bench bench = new Bench().policy("api/user", "{\"limits\":[\"10/day\"]}");
    bench.override("20/day", FOREVER, "user", "42");
    bench.check(8, "user", "42");
    bench.override("20/day", Duration.ZERO, "user", "42");
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(2);
  }

  @Test
  void reserve_roomIsThatOfOverridesThatAreOver_isHeldAndTheirRulesAreFree() {
    Bench bench = Bench.ofNotes(ROOM).policy("api/user", "{\"limits\":[\"1000/month\"]}");
    int rules = rules(bench);
    for (int i = 0; i < ROOM; i++) {
      bench.override((2_000 + i) + "/month", SECOND, "user", "" + i);
    }
    assertThat(rules(bench)).isEqualTo(rules + ROOM);
    bench.clock.advance(SECOND.plusDays(1).minusNanos(1));
    assertThat(reserved(bench, "x").answer().why()).isEqualTo(Why.FAIL_OPEN);
    bench.clock.advanceNanos(1);
    assertThat(reserved(bench, "x").answer().why()).isEqualTo(Why.OK);
    assertThat(rules(bench)).isEqualTo(rules);
  }

  @Test
  void order_roomIsThatOfOverridesThatAreOver_isKept() {
    Bench bench = crowdedBy(ROOM, ROOM);
    assertThatThrownBy(() -> bench.block(SECOND, "user", "x"))
        .isInstanceOf(UnavailableException.class);
    bench.clock.advance(SECOND.plusDays(1));
    bench.block(SECOND, "user", "x");
    assertThat(bench.check(1, "user", "x").why()).isEqualTo(Why.BLOCKED);
    bench.override("7/month", SECOND, "user", "y");
    assertThat(bench.check(1, "user", "y").remaining()).isEqualTo(6);
    bench.reset("user", "z");
  }

  @Test
  void reserve_crowded_forgetsNoOrderThatHolds() {
    Bench bench = crowdedBy(ROOM / 2, ROOM);
    for (int i = 0; i < ROOM / 2; i++) {
      bench.override("5/month", FOREVER, "ip", "" + i);
    }
    bench.block(FOREVER, "user", "0");
    bench.clock.advance(SECOND.plusDays(1));
    assertThat(reserved(bench, "x").answer().why()).isEqualTo(Why.OK);
    assertThat(bench.shard.notes().size()).isEqualTo(ROOM / 2 + 2);
    assertThat(bench.check(1, "user", "0").why()).isEqualTo(Why.BLOCKED);
    for (int i = 0; i < ROOM / 2; i++) {
      assertThat(bench.check(1, "ip", "" + i).limit()).isEqualTo(5);
    }
  }

  /** Whoever takes or orders something does not wait for all of them to leave. */
  @Test
  void reserve_veryManyOverridesAreOver_forgetsSomeAtATime() {
    int many = 10 * ROOM;
    Bench bench = crowdedBy(many, many);
    bench.clock.advance(SECOND.plusDays(1));
    assertThat(reserved(bench, "x").answer().why()).isEqualTo(Why.OK);
    assertThat(bench.shard.notes().size()).isEqualTo(many - 64 + 1);
  }

  @Test
  void override_noRoomToKeepIt_leavesNoRuleBehind() {
    Bench bench = Bench.ofNotes(ROOM).policy("api/user", "{\"limits\":[\"10/day\"]}");
    for (int i = 0; i < ROOM; i++) {
      bench.block(FOREVER, "user", "" + i);
    }
    int rules = rules(bench);
    assertThatThrownBy(() -> bench.override("20/day", FOREVER, "user", "x"))
        .isInstanceOf(UnavailableException.class);
    assertThat(rules(bench)).isEqualTo(rules);
  }

  @Test
  void override_forgotten_leavesItsRuleWithTheNextOrder() {
    Bench bench = new Bench().policy("api/user", "{\"limits\":[\"10/day\"]}");
    int rules = rules(bench);
    bench.override("20/day", SECOND, "user", "42");
    bench.clock.advance(SECOND.plusDays(2));
    bench.block(SECOND, "user", "43");
    assertThat(rules(bench)).isEqualTo(rules);
  }
}
