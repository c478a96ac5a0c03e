package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Rules;
import io.penstock.server.cluster.Network.Fault;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Extent;
import io.penstock.server.node.Held;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Why;
import io.penstock.server.policy.DryRun;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** R19, R21: checks whose keys belong to several groups count wholly, or not at all. */
class CompoundTest {
  private static final List<String> OWNERS = List.of("n1", "n2", "n3");

  private final Town town = town();

  private static Town town() {
    Town town =
        new Town(3)
            .policy("api/bank", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\"}")
            .policy("api/pump", "{\"limits\":[\"10/s burst 10\"]}")
            .policy("api/gate", "{\"limits\":[\"1/s burst 1\"]}");
    for (int i = 0; i < 3; i++) {
      town.own(i, OWNERS.get(i));
    }
    return town;
  }

  /** A descriptor that a group decides on. */
  private Descriptor in(int group, String key) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> Descriptor.of(key, "v" + i))
        .filter(each -> Extent.group(town.policies.shard("api", each), 3) == group)
        .findFirst()
        .orElseThrow();
  }

  private final Descriptor bank = in(0, "bank");
  private final Descriptor pump = in(1, "pump");
  private final Descriptor gate = in(2, "gate");

  private static CheckRequest request(@Nullable String id, long cost, Descriptor... descriptors) {
    List<Asked> asked = Stream.of(descriptors).map(each -> new Asked(each, cost, null)).toList();
    return new CheckRequest("api", asked, id, /* mayRefund= */ false);
  }

  private Told<Answer> check(String node, @Nullable String id, Descriptor... descriptors) {
    return town.check(node, request(id, 1, descriptors));
  }

  private long left(Descriptor key) {
    return town.check("n1", request(/* id= */ null, 0, key)).answer().remaining();
  }

  private void assertLeft(long ofBank, long ofPump, long ofGate) {
    assertThat(List.of(left(bank), left(pump), left(gate))).containsExactly(ofBank, ofPump, ofGate);
  }

  private long stakes() {
    return town.network.questions.stream()
        .filter(bytes -> bytes[0] == QuestionCodec.FORMAT)
        .filter(bytes -> QuestionCodec.read(bytes).question() instanceof Question.Stake)
        .count();
  }

  @Test
  void allAllow_throughAnyNode_eachCountsOnce() {
    for (String node : OWNERS) {
      Answer answer = check(node, /* id= */ null, gate, bank, pump).answer();
      assertThat(answer.allowed()).isTrue();
      assertThat(answer.parts()).hasSize(3);
      assertThat(answer.parts().get(0).policy()).isEqualTo("api/gate");
      assertThat(answer.parts().get(1).policy()).isEqualTo("api/bank");
      assertThat(answer.durability()).isEqualTo(Durability.STRICT);
      assertThat(answer.decidedBy()).as("the least is left of the gate").startsWith("n3 shard ");
      town.advanceMillis(1_000);
    }
    assertLeft(7, 10, 1);
  }

  @Test
  void oneDenies_throughAnyNode_theOthersAreAsBeforeAndToldSo() {
    check("n1", /* id= */ null, gate);
    for (String node : OWNERS) {
      Answer answer = check(node, /* id= */ null, bank, pump, gate).answer();
      assertThat(answer.allowed()).isFalse();
      assertThat(answer.why()).isEqualTo(Why.LIMITED);
      assertThat(answer.parts().get(2).allowed()).isFalse();
      assertThat(answer.parts().stream().map(part -> Objects.requireNonNull(part.meter())))
          .extracting(meter -> meter.remaining())
          .containsExactly(10L, 10L, 0L);
      assertThat(answer.decidedBy()).startsWith("n3 shard ");
    }
    assertLeft(10, 10, 0);
  }

  /** What was denied just now is asked alone: only if it passes, the others are. */
  @Test
  void flood_thatOneKeyDenies_takesNothingFromOthers() {
    check("n1", /* id= */ null, gate);
    check("n1", /* id= */ null, bank, pump, gate);
    long first = stakes();
    assertThat(first).as("nobody knew: both that are elsewhere").isEqualTo(2);
    for (int i = 0; i < 10; i++) {
      assertThat(check("n1", /* id= */ null, bank, pump, gate).answer().allowed()).isFalse();
    }
    assertThat(stakes() - first).as("the gate alone").isEqualTo(10);
    town.advanceMillis(1_000);
    assertThat(check("n1", /* id= */ null, bank, pump, gate).answer().allowed()).isTrue();
    assertLeft(9, 9, 0);
  }

  /** Law L10, with time passing: a bucket gets back no more than it has not drained. */
  @Test
  void l10_floodThatOneKeyDenies_neitherLiftsNorDrainsAnother() {
    town.policy("api/alike", "{\"limits\":[\"10/s burst 10\"]}");
    Descriptor alike = in(1, "alike");
    for (int i = 0; i < 400; i++) {
      town.advanceMillis(37);
      check("n2", /* id= */ null, gate);
      for (int flood = 0; flood < 5; flood++) {
        assertThat(check(OWNERS.get(flood % 3), null, gate, pump).answer().allowed()).isFalse();
      }
      boolean allowed = check("n1", /* id= */ null, pump).answer().allowed();
      assertThat(allowed).isEqualTo(check("n1", /* id= */ null, alike).answer().allowed());
      assertThat(left(pump)).isEqualTo(left(alike));
    }
  }

  @Test
  void requestId_repeated_consumesOnce() {
    assertThat(check("n1", "id", bank, pump).answer().duplicate()).isFalse();
    Answer again = check("n2", "id", bank, pump).answer();
    assertThat(again.duplicate()).isTrue();
    assertThat(again.allowed()).isTrue();
    assertLeft(9, 9, 1);
  }

  /** R22: what is undone is not remembered either. */
  @Test
  void requestId_denied_isDecidedAgain() {
    check("n1", /* id= */ null, gate);
    assertThat(check("n1", "id", bank, pump, gate).answer().allowed()).isFalse();
    town.advanceMillis(1_000);
    Answer again = check("n1", "id", bank, pump, gate).answer();
    assertThat(again.allowed()).isTrue();
    assertThat(again.duplicate()).isFalse();
    assertLeft(9, 9, 0);
    assertThat(check("n3", "id", bank, pump, gate).answer().duplicate()).isTrue();
    assertLeft(9, 9, 0);
  }

  @Test
  void ownerOfOnePartGone_failsClosed_theOthersAreUndone() {
    town.lose(0);
    Told<Answer> told = check("n2", /* id= */ null, bank, pump);
    assertThat(told.isNothing()).isTrue();
    town.advanceMillis(250);
    Answer answer = told.answer();
    assertThat(answer.allowed()).isFalse();
    assertThat(answer.why()).isEqualTo(Why.FAIL_CLOSED);
    town.own(0, "n3");
    assertLeft(10, 10, 1);
  }

  @Test
  void ownerOfOnePartGone_failsOpen_theOthersCount() {
    town.lose(1);
    Told<Answer> told = check("n1", /* id= */ null, pump, gate);
    town.advanceMillis(50);
    Answer answer = told.answer();
    assertThat(answer.allowed()).isTrue();
    assertThat(answer.parts().get(0).why()).isEqualTo(Why.FAIL_OPEN);
    assertThat(left(gate)).isZero();
  }

  /** R21: a part that arrives after its cancel is refused. */
  @Test
  void partArrivesAfterItsCancel_isNotDecided() {
    town.network.next(Fault.DELAYS);
    Told<Answer> told = check("n2", /* id= */ null, bank, pump);
    town.advanceMillis(250);
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_CLOSED);
    town.network.arrive();
    assertLeft(10, 10, 1);
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
  void reservation_deniedByOneGroup_holdsNothing() {
    Told<Held> told = new Told<>();
    town.node("n3").reserve(request(/* id= */ null, 4, bank, gate), 60_000, told);
    assertThat(told.answer().answer().allowed()).isFalse();
    assertThat(told.answer().id()).isNull();
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
        new DryRun.Forecast(9, 5, 10, List.of(a)).and(new DryRun.Forecast(20, 7, 5, List.of(b)));
    assertThat(both).isEqualTo(new DryRun.Forecast(29, 12, 10, List.of(b, a)));

    town.own(1, "n1").own(2, "n1");
    Told<DryRun.Forecast> told = new Told<>();
    town.node("n2").tryOut("api/bank", "{\"limits\":[\"1/day\"]}", told);
    assertThat(town.network.asked).as("one owner of three groups").containsExactly("n1");
  }

  /** The entry node does not know yet that keys share a counter, which another group has. */
  @Test
  void keyRoutedByAnOlderPolicy_isAskedAgainWhereItIsCounted() {
    PolicyDesk older = new PolicyDesk(new Rules(), new Node.Secret(1, 2), town.clock);
    String alone = "{\"limits\":[\"10/day\"]}";
    String shared = "{\"limits\":[\"10/day\"],\"share\":[\"team\"]}";
    older.apply(Town.change("api/team/user", 9, alone, older));
    town.policies.apply(Town.change("api/team/user", 9, alone, town.policies));
    town.policies.apply(Town.change("api/team/user", 10, shared, town.policies));
    ClusterNode entry = new ClusterNode("n4", town.owners("n1"), town.network, older, town.clock);
    Descriptor moved =
        Stream.iterate(0, i -> i + 1)
            .map(i -> Descriptor.of("team", "t", "user", "v" + i))
            .filter(
                each -> group(older.shard("api", each)) != group(town.policies.shard("api", each)))
            .findFirst()
            .orElseThrow();
    Told<Answer> told = new Told<>();
    entry.check(request(/* id= */ null, 1, moved), told);
    assertThat(told.isNothing()).isTrue();
    older.apply(Town.change("api/team/user", 10, shared, older));
    town.advanceMillis(10);
    assertThat(told.answer().remaining()).isEqualTo(9);
    assertThat(left(moved)).isEqualTo(9);
  }

  private static int group(int shard) {
    return Extent.group(shard, 3);
  }
}
