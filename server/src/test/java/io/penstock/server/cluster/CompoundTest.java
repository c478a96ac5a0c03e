package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Rules;
import io.penstock.server.cluster.Network.Fault;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Extent;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.Why;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** R19, R21: checks whose keys belong to several groups count wholly, or not at all. */
class CompoundTest extends ThreeOwners {
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

  /** It belongs to all descriptors: a check of some of them is another one. */
  @Test
  void requestId_ofAnotherCheckOfTheSameKeys_isDecided() {
    check("n1", "id", bank, pump);
    assertThat(check("n1", "id", bank).answer().duplicate()).isFalse();
    assertThat(check("n1", "id", pump, gate).answer().duplicate()).isFalse();
    assertLeft(8, 8, 0);
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
