package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Why;
import io.penstock.server.policy.DryRun;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is held by several owners, and orders that go to all of them. */
class CompoundOrdersTest extends ThreeOwners {
  @Test
  void lease_besideAKeyWithoutSlots_isRenewed() {
    town.policy("api/slots", "{\"limits\":[\"2 concurrent lease 60s\"]}");
    Told<Held> told = new Told<>();
    CheckRequest request = request(/* id= */ null, 1, in(2, "slots"), bank);
    town.node("n1").acquire(request, 60_000, told);
    String id = Objects.requireNonNull(told.answer().id());
    Told<Settled> renewed = new Told<>();
    town.node("n2").renew(id, renewed);
    assertThat(renewed.answer()).isEqualTo(Settled.DONE);
  }

  @Test
  void lease_besideAKeyWithoutSlots_isOverWhenItsTimeIs() {
    town.policy("api/slots", "{\"limits\":[\"2 concurrent lease 60s\"]}");
    Told<Held> told = new Told<>();
    CheckRequest request = request(/* id= */ null, 1, in(2, "slots"), bank);
    town.node("n1").acquire(request, 60_000, told);
    town.advanceMillis(60_000);
    Told<Settled> renewed = new Told<>();
    town.node("n2").renew(Objects.requireNonNull(told.answer().id()), renewed);
    assertThat(renewed.answer()).isEqualTo(Settled.OVER);
  }

  @Test
  void reservation_overGroups_isSettledByOneId() {
    Told<Held> told = new Told<>();
    town.node("n3").reserve(request(/* id= */ null, 4, bank, pump), 60_000, told);
    String id = Objects.requireNonNull(told.answer().id());
    assertLeft(6, 6, 1);
    Told<Settled> committed = new Told<>();
    town.node("n2").commit(id, 1, committed);
    assertThat(committed.answer()).isEqualTo(Settled.DONE);
    assertLeft(9, 9, 1);
    Told<Settled> unknown = new Told<>();
    town.node("n2").commit(id + ".x", 1, unknown);
    assertThat(unknown.answer()).isEqualTo(Settled.UNKNOWN);
  }

  @Test
  void lease_settledAsAReservation_isUnknownAndStillHeld() {
    town.policy("api/slots", "{\"limits\":[\"2 concurrent lease 60s\"]}");
    Descriptor slots = in(2, "slots");
    Told<Held> told = new Told<>();
    town.node("n1").acquire(request(/* id= */ null, 1, slots, bank), 60_000, told);
    String id = Objects.requireNonNull(told.answer().id());
    Told<Settled> cancelled = new Told<>();
    town.node("n2").cancel(id, cancelled);
    assertThat(cancelled.answer()).isEqualTo(Settled.UNKNOWN);
    Told<Settled> committed = new Told<>();
    town.node("n3").commit(id, 0, committed);
    assertThat(committed.answer()).isEqualTo(Settled.UNKNOWN);
    assertThat(left(slots)).isEqualTo(1);
    Told<Settled> released = new Told<>();
    town.node("n2").release(id, released);
    assertThat(released.answer()).isEqualTo(Settled.DONE);
    assertThat(left(slots)).isEqualTo(2);
  }

  @Test
  void reservation_settledAsALease_isUnknownAndStillHeld() {
    Told<Held> told = new Told<>();
    town.node("n3").reserve(request(/* id= */ null, 4, bank, pump), 60_000, told);
    String id = Objects.requireNonNull(told.answer().id());
    Told<Settled> released = new Told<>();
    town.node("n2").release(id, released);
    assertThat(released.answer()).isEqualTo(Settled.UNKNOWN);
    Told<Settled> cancelled = new Told<>();
    town.node("n2").cancel(id, cancelled);
    assertThat(cancelled.answer()).isEqualTo(Settled.DONE);
    assertLeft(10, 10, 1);
  }

  @Test
  void lease_deniedByOneGroup_holdsNothing() {
    check("n1", /* id= */ null, gate);
    town.policy("api/slots", "{\"limits\":[\"2 concurrent lease 60s\",\"10/day\"]}");
    Descriptor slots = in(0, "slots");
    Told<Held> told = new Told<>();
    town.node("n1").acquire(request(/* id= */ null, 1, slots, gate), 60_000, told);
    assertThat(told.answer().answer().allowed()).isFalse();
    assertThat(left(slots)).isEqualTo(2);
    town.policy("api/slots", "{\"limits\":[\"10/day\"]}");
    assertThat(left(slots)).as("what its rate had counted").isEqualTo(10);
  }

  @Test
  void reservation_deniedByOneGroup_holdsNothing() {
    Told<Held> told = new Told<>();
    town.node("n3").reserve(request(/* id= */ null, 4, bank, gate), 60_000, told);
    assertThat(told.answer().answer().allowed()).isFalse();
    assertThat(told.answer().id()).isNull();
    assertLeft(10, 10, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "n3"})
  void r20_reservationThatOneGroupCannotKeepInTime_holdsNothing(String node) {
    town.log(0).hold();
    Told<Held> told = new Told<>();
    town.node(node).reserve(request(/* id= */ null, 4, bank, pump), 60_000, told);
    town.advanceMillis(250);
    assertThat(told.answer().answer().why()).isEqualTo(Why.FAIL_CLOSED);
    town.log(0).keep();
    assertLeft(10, 10, 1);
  }

  @Test
  void orders_throughAnyNode_holdForKeysOfEveryGroup() {
    Told<Durability> blocked = new Told<>();
    town.node("n3").block("api", List.of(bank, pump), Long.MAX_VALUE, blocked);
    assertThat(blocked.answer()).isEqualTo(Durability.STRICT);
    assertThat(check("n1", /* id= */ null, bank).answer().why()).isEqualTo(Why.BLOCKED);
    assertThat(check("n1", /* id= */ null, pump).answer().why()).isEqualTo(Why.BLOCKED);
    Told<Durability> lifted = new Told<>();
    town.node("n1").block("api", List.of(bank, pump), 0, lifted);
    check("n1", /* id= */ null, bank, pump);
    Told<Durability> reset = new Told<>();
    town.node("n2").reset("api", List.of(bank, pump), reset);
    assertThat(reset.answer()).isEqualTo(Durability.STRICT);
    assertLeft(10, 10, 1);
  }

  @Test
  void reset_throughAnyNode_isOfLimitsOfRequestsToo() {
    Descriptor nobody = in(2, "nobody");
    List<Asked> asked =
        Stream.of(bank, pump, nobody)
            .map(key -> new Asked(key, /* cost= */ 4, Limit.parse("5/hour")))
            .toList();
    CheckRequest limited = new CheckRequest("api", asked, /* requestId= */ null, false);
    assertThat(town.check("n1", limited).answer().allowed()).isTrue();
    assertThat(town.check("n1", limited).answer().allowed()).isFalse();
    Told<Durability> reset = new Told<>();
    town.node("n3").reset("api", List.of(bank, pump, nobody), reset);
    assertThat(reset.answer()).isEqualTo(Durability.STRICT);
    assertThat(town.check("n1", limited).answer().allowed()).isTrue();
  }

  @Test
  void reset_throughAnyNodeWhereAPolicyLiftsAllLimits_emptiesWhatIsCountedWithoutIt() {
    check("n1", /* id= */ null, bank, pump);
    assertLeft(9, 9, 1);
    town.policy("api/bank", "{\"unlimited\":true}").policy("api/pump", "{\"unlimited\":true}");
    Told<Durability> reset = new Told<>();
    town.node("n3").reset("api", List.of(bank, pump), reset);
    assertThat(reset.answer()).isEqualTo(Durability.STRICT);
    town.policy("api/bank", "{\"limits\":[\"10/day\"]}");
    town.policy("api/pump", "{\"limits\":[\"10/s burst 10\"]}");
    assertLeft(10, 10, 1);
  }

  @Test
  void orders_ownerOfOneGroupGone_sayThatNobodyAnswered() {
    town.lose(1);
    Told<Durability> told = new Told<>();
    town.node("n3").reset("api", List.of(bank), told);
    town.advanceMillis(250);
    assertThat(told.failure()).hasMessageContaining("owner: none known");
  }

  @Test
  void dryRun_askedOfAllOwners_countsEachCheckOnce() {
    DryRun.KeyForecast a = new DryRun.KeyForecast("user=1", 9, 5);
    DryRun.KeyForecast b = new DryRun.KeyForecast("user=2", 9, 7);
    DryRun.Forecast both =
        new DryRun.Forecast(9, 5, 10, List.of(a), 1)
            .and(new DryRun.Forecast(20, 7, 5, List.of(b), 2));
    assertThat(both).isEqualTo(new DryRun.Forecast(29, 12, 10, List.of(b, a), 3));

    town.own(1, "n1").own(2, "n1");
    Told<DryRun.Forecast> told = new Told<>();
    town.node("n2").tryOut("api/bank", "{\"limits\":[\"1/day\"]}", told);
    assertThat(town.network.asked).as("one owner of three groups").containsExactly("n1");
  }
}
