package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Network.Fault;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Throttled;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.node.Why;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is answered when the owner does not, and when. */
class BudgetTest {
  private final Town town =
      new Town()
          .policy("api/user", "{\"limits\":[\"10/day\"]}")
          .policy("api/bank", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\"}")
          .policy("api/paid", "{\"limits\":[\"10/day\"],\"failMode\":\"closed\"}")
          .policy("api/free", "{\"limits\":[\"10/day\"],\"failMode\":\"local\"}")
          .policy(
              "api/capped",
              "{\"limits\":[\"10/day\"],\"failMode\":\"local\",\"localCap\":\"2/min\"}")
          .policy("api/shadow", "{\"limits\":[\"1/day\"],\"failMode\":\"closed\",\"shadow\":true}")
          .policy("api/quick", "{\"limits\":[\"10/day\"],\"budgetMs\":5}")
          .policy(
              "api/slow", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\",\"budgetMs\":2000}")
          .policy("api/shut", "{\"blocked\":true}");

  private Answer failed(String key) {
    Told<Answer> told = town.check("n1", Town.request(null, 1, key, "42"));
    town.advanceMillis(250);
    return told.answer();
  }

  @Test
  void r20_fastAndOwnerUnknown_failsAfter50Millis() {
    Told<Answer> told = town.check("n1", Town.user(null, 1));
    town.advanceMillis(49);
    assertThat(told.isNothing()).isTrue();
    town.advanceMillis(1);
    assertThat(told.answer().allowed()).isTrue();
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_OPEN);
    assertThat(told.answer().part().policy()).isEqualTo("api/user");
    assertThat(told.answer().part().policyVersion()).isEqualTo(1);
    assertThat(told.answer().durability()).isEqualTo(Durability.NONE);
    assertThat(told.answer().decidedBy()).isEqualTo("n1");
  }

  @Test
  void r20_strictAndOwnerUnknown_failsAfter250Millis() {
    Told<Answer> told = town.check("n1", Town.request(null, 1, "bank", "42"));
    Asked user = new Asked(Descriptor.of("user", "42"), 1, null);
    Asked bank = new Asked(Descriptor.of("bank", "42"), 1, null);
    Told<Answer> both = town.check("n1", new CheckRequest("api", List.of(user, bank), null, false));
    town.advanceMillis(249);
    assertThat(told.isNothing()).isTrue();
    assertThat(both.isNothing()).as("the longest of all descriptors").isTrue();
    town.advanceMillis(1);
    assertThat(told.answer().allowed()).isFalse();
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(told.answer().retryAfterNanos()).isPositive();
    assertThat(both.answer().why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(both.answer().parts())
        .extracting(part -> part.why())
        .containsExactly(Why.FAIL_OPEN, Why.FAIL_CLOSED);
  }

  @Test
  void r20_policySaysItsBudget_failsAfterThat() {
    Told<Answer> quick = town.check("n1", Town.request(null, 1, "quick", "42"));
    Told<Answer> slow = town.check("n1", Town.request(null, 1, "slow", "42"));
    Asked user = new Asked(Descriptor.of("user", "42"), 1, null);
    Asked other = new Asked(Descriptor.of("quick", "42"), 1, null);
    Told<Answer> both =
        town.check("n1", new CheckRequest("api", List.of(other, user), null, false));
    town.advanceMillis(4);
    assertThat(quick.isNothing()).isTrue();
    town.advanceMillis(1);
    assertThat(quick.answer().why()).isEqualTo(Why.FAIL_OPEN);
    assertThat(both.isNothing()).as("the longest of all descriptors").isTrue();
    town.advanceMillis(45);
    assertThat(both.answer().why()).isEqualTo(Why.FAIL_OPEN);
    town.advanceMillis(1949);
    assertThat(slow.isNothing()).isTrue();
    town.advanceMillis(1);
    assertThat(slow.answer().why()).isEqualTo(Why.FAIL_CLOSED);
  }

  @Test
  void failModes_each_answersWithItsReason() {
    assertThat(failed("user").why()).isEqualTo(Why.FAIL_OPEN);
    assertThat(failed("paid").why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(failed("paid").allowed()).isFalse();
    assertThat(failed("shadow").allowed()).as("shadow never denies").isTrue();
    assertThat(failed("shut").why()).isEqualTo(Why.BLOCKED);
    assertThat(failed("shut").allowed()).isFalse();
    assertThat(failed("nobody").why()).isEqualTo(Why.NO_POLICY);
    assertThat(failed("nobody").allowed()).isTrue();
  }

  @Test
  void failLocal_withoutACap_decidesAloneByTheLimitsOfThePolicy() {
    for (int left = 9; left >= 0; left--) {
      Answer answer = failed("free");
      assertThat(answer.allowed()).isTrue();
      assertThat(answer.why()).isEqualTo(Why.FAIL_LOCAL);
      assertThat(answer.remaining()).isEqualTo(left);
    }
    assertThat(failed("free").allowed()).isFalse();
    assertThat(failed("free").why()).isEqualTo(Why.FAIL_LOCAL);
    assertThat(failed("free").retryAfterNanos()).isPositive();
  }

  @Test
  void failLocal_withACap_decidesAloneBelowIt() {
    assertThat(failed("capped").allowed()).isTrue();
    assertThat(failed("capped").allowed()).isTrue();
    assertThat(failed("capped").allowed()).isFalse();
  }

  @Test
  void failLocal_besideOneThatFailsClosed_takesNothing() {
    Asked free = new Asked(Descriptor.of("capped", "42"), 2, null);
    Asked paid = new Asked(Descriptor.of("paid", "42"), 1, null);
    Told<Answer> told = town.check("n1", new CheckRequest("api", List.of(free, paid), null, false));
    town.advanceMillis(50);
    assertThat(told.answer().allowed()).isFalse();
    assertThat(failed("capped").remaining()).isEqualTo(1);
  }

  @Test
  void check_ownerAppearsInTime_isDecidedWithoutPolling() {
    Told<Answer> told = town.check("n1", Town.user(null, 1));
    Told<Answer> other = town.check("n1", Town.user(null, 1));
    assertThat(town.clock.waiting()).as("one timer for all").isEqualTo(1);
    town.advanceMillis(30);
    town.own("n2");
    assertThat(told.answer().remaining()).isEqualTo(9);
    assertThat(other.answer().remaining()).isEqualTo(8);
    town.advanceMillis(250);
    assertThat(told.answers).hasSize(1);
  }

  @Test
  void check_thisNodeBecomesOwner_decidesHere() {
    Told<Answer> told = town.check("n1", Town.user(null, 1));
    town.own("n1");
    assertThat(told.answer().decidedBy()).startsWith("n1 shard ");
    assertThat(town.network.asked).isEmpty();
  }

  @Test
  void check_answerComesTooLate_isToldOnce() {
    town.own("n2");
    town.network.next(Fault.DELAYS);
    Told<Answer> told = town.check("n1", Town.user(null, 1));
    town.advanceMillis(50);
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_OPEN);
    town.network.arrive();
    assertThat(told.answers).hasSize(1);
  }

  /** While nodes of two versions are mixed: like an owner that is not reached. */
  @Test
  void check_ofAFormatThatTheOwnerCannotRead_isAnsweredByTheFailMode() {
    town.own("n2");
    town.network.next(Fault.IS_OF_ANOTHER_FORMAT, Fault.IS_OF_ANOTHER_FORMAT);
    Told<Answer> told = town.check("n1", Town.request(null, 1, "bank", "42"));
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_CLOSED);
    Told<Durability> reset = new Told<>();
    town.node("n1").reset("api", List.of(Descriptor.of("bank", "42")), reset);
    assertThat(reset.failure())
        .isInstanceOf(UnavailableException.class)
        .hasMessage("format: 99 (expected: %d; another version wrote it)", QuestionCodec.FORMAT);
  }

  @Test
  void strict_ownerItselfCannotKeepIt_failsAfter250Millis() {
    town.own("n1").log().hold();
    Told<Answer> told = town.check("n1", Town.request(null, 1, "bank", "42"));
    town.advanceMillis(249);
    assertThat(told.isNothing()).isTrue();
    town.advanceMillis(1);
    assertThat(told.answer().why()).isEqualTo(Why.FAIL_CLOSED);
    town.log().keep();
    assertThat(told.answers).hasSize(1);
  }

  /** What it knows of policies is not what they are: not even that there is none. */
  @Test
  void r24_nodeAmongThoseOfAnotherCluster_answersNothing() {
    town.network.isEstranged = true;
    Told<Held> reserved = new Told<>();
    town.node("n1").reserve(Town.user(null, 1), 60_000, reserved);
    for (String key : List.of("user", "bank", "nobody")) {
      Told<Answer> told = town.check("n1", Town.request(null, 1, key, "42"));
      town.advanceMillis(250);
      assertThat(told.failure()).isInstanceOf(UnavailableException.class);
    }
    assertThat(reserved.failure()).isInstanceOf(UnavailableException.class);
  }

  @Test
  void holds_beyondTheBudget_holdNothing() {
    Told<Held> reserved = new Told<>();
    Told<Held> acquired = new Told<>();
    town.node("n1").reserve(Town.user(null, 1), 60_000, reserved);
    town.node("n1").acquire(Town.request(null, 1, "paid", "42"), 60_000, acquired);
    town.advanceMillis(50);
    assertThat(reserved.answer().answer().why()).isEqualTo(Why.FAIL_OPEN);
    assertThat(reserved.answer().id()).isNull();
    assertThat(acquired.answer().answer().why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(acquired.answer().id()).isNull();
  }

  @Test
  void orders_beyondTheBudget_sayWhyNobodyAnswered() {
    Told<Settled> settled = new Told<>();
    Told<Durability> reset = new Told<>();
    Told<Throttled> throttled = new Told<>();
    Told<Boolean> forgotten = new Told<>();
    ClusterNode node = town.node("n1");
    node.cancel("id", settled);
    node.reset("api", List.of(Descriptor.of("user", "42")), reset);
    assertThat(node.throttle(7, Limit.parse("5/s"), 1, node.nanos(), () -> throttled)).isNull();
    node.forget(7, forgotten);
    town.advanceMillis(250);
    for (Told<?> told : List.of(settled, reset, throttled, forgotten)) {
      assertThat(told.failure())
          .isInstanceOf(UnavailableException.class)
          .hasMessage("owner: none known (expected: an answer in time)");
    }
  }
}
