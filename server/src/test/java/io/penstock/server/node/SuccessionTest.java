package io.penstock.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Rules;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.shard.FakeLog;
import io.penstock.shard.FakeReplica;
import io.penstock.shard.Shard;
import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nodes that follow each other on the same policies, and what they answer when they end. */
class SuccessionTest {
  private static final String TEN_A_DAY = "{\"limits\":[\"10/day\"]}";
  private static final String STRICT = "{\"limits\":[\"10/day\"],\"consistency\":\"strict\"}";

  private final ManualClock clock = new ManualClock();
  private final Rules rules = new Rules();
  private final PolicyDesk policies = new PolicyDesk(rules, new Node.Secret(1, 2), clock);
  private final FakeLog log = new FakeLog();
  private long revision;

  private void put(String scope, @Nullable String document) {
    String counters = document == null ? "" : policies.counters(Kind.POLICY, scope, document);
    revision++;
    policies.apply(
        new Change(
            Kind.POLICY, scope, revision, revision, Instant.EPOCH, "test", document, counters));
  }

  private LocalNode owner(String epoch) {
    Shard shard = policies.build(() -> new FakeReplica(rules, clock).with(log));
    return new LocalNode(Signature.ofOwner("n2", epoch), shard, policies, Extent.ALL);
  }

  private static CheckRequest request(@Nullable String id, long cost) {
    Asked asked = new Asked(Descriptor.of("user", "42"), cost, null);
    return new CheckRequest("api", List.of(asked), id, /* mayRefund= */ false);
  }

  /** What is told, answers and failures alike. */
  private static <T> Asker<T> into(List<Object> told) {
    return Asker.of(told::add, told::add);
  }

  private static Answer check(LocalNode node, long cost) {
    return Bench.now(done -> node.check(request(null, cost), done));
  }

  @Test
  void node_afterAnother_decidesByTheSamePolicies() {
    put("api/user", TEN_A_DAY);
    LocalNode first = owner("1");
    assertThat(check(first, 8).remaining()).isEqualTo(2);
    first.end();
    LocalNode second = owner("2");
    assertThat(check(second, 1).remaining()).as("on another shard").isEqualTo(9);
    assertThat(second.policies()).isSameAs(first.policies());
  }

  @Test
  void policies_changedBetweenNodes_areInForceOnTheNext() {
    put("api/user", TEN_A_DAY);
    owner("1").end();
    put("api/user", "{\"limits\":[\"20/day\"]}");
    put("api/user=42", "{\"limits\":[\"30/day\"]}");
    assertThat(check(owner("2"), 1).remaining()).isEqualTo(29);
  }

  @Test
  void r15_policiesChangedBetweenNodesByAClockAnHourAhead_doNotStopTheTimeOfTheNext() {
    put("api/user", "{\"limits\":[\"20/min\"]}");
    Instant right = clock.instant();
    clock.set(right.plus(Duration.ofHours(1)));
    put("api/user", "{\"limits\":[\"1/min burst 10\"]}");
    clock.set(right);
    LocalNode owner = owner("1");
    check(owner, 10);
    assertThat(check(owner, 1).remaining()).isZero();
    clock.advance(Duration.ofMinutes(2));
    assertThat(check(owner, 0).remaining()).isEqualTo(2);
  }

  @Test
  void policies_changedUnderANode_convertWhatItsKeysHaveUsed() {
    put("api/user", TEN_A_DAY);
    owner("1").end();
    LocalNode second = owner("2");
    check(second, 8);
    put("api/user=42", "{\"limits\":[\"12/day\"]}");
    assertThat(check(second, 0).remaining()).isEqualTo(4);
  }

  @Test
  void policies_changedOftenWithoutANode_neverRunOutOfRules() {
    for (int i = 1; i <= 10_000; i++) {
      put("api/user", "{\"limits\":[\"" + i + "/day\"]}");
    }
    assertThat(check(owner("1"), 1).remaining()).isEqualTo(9_999);
  }

  @Test
  void policies_changedWhileAShardIsBuilt_comeIntoForceAfterIt() throws Exception {
    put("api/user", TEN_A_DAY);
    Thread changer = new Thread(() -> put("api/user", "{\"limits\":[\"20/day\"]}"));
    Shard shard =
        policies.build(
            () -> {
              changer.start();
              while (changer.getState() != Thread.State.BLOCKED) {
                assertThat(policies.revision()).isEqualTo(1);
                Thread.onSpinWait();
              }
              return new FakeReplica(rules, clock).with(log);
            });
    changer.join();
    LocalNode node = new LocalNode(Signature.ofOwner("n2", "1"), shard, policies, Extent.ALL);
    assertThat(check(node, 1).remaining()).isEqualTo(19);
  }

  @Test
  void node_shardWithOtherRulesOrBuiltElsewhere_isRefused() {
    Shard other = new FakeReplica(new Rules(), clock).with(log);
    assertThatThrownBy(() -> policies.build(() -> other)).hasMessageContaining("rules");
    Shard unknown = new FakeReplica(rules, clock).with(log);
    Signature signature = Signature.ofOwner("n2", "1");
    assertThatThrownBy(() -> new LocalNode(signature, unknown, policies, Extent.ALL))
        .hasMessageContaining("PolicyDesk.build");
  }

  @Test
  void order_afterTheEnd_isRefusedAndHoldsNoRule() {
    LocalNode node = owner("1");
    List<Descriptor> keys = List.of(Descriptor.of("user", "42"));
    List<Limit> limits = List.of(Limit.parse("1/day"));
    long until = clock.instant().toEpochMilli() + 60_000;
    List<Object> told = new ArrayList<>();
    node.override("api", keys, limits, until, into(told));
    assertThat(told).containsExactly(Durability.STRICT);
    node.end();
    assertThat(check(node, 2).why()).as("under no rule that has ended").isEqualTo(Why.NO_POLICY);
    assertThatThrownBy(() -> node.override("api", keys, limits, until, into(told)))
        .isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> node.block("api", keys, until, into(told)))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void decidedBy_ofAnOwner_namesNodeShardAndEpoch() {
    put("api/user", TEN_A_DAY);
    LocalNode node = owner("7");
    assertThat(check(node, 1).decidedBy()).matches("n2 shard \\d{1,3} epoch 7");
    CheckRequest request = request("id", 1);
    Answer first = Bench.now(done -> node.check(request, done));
    Answer again = Bench.now(done -> node.check(request, done));
    assertThat(again.duplicate()).isTrue();
    assertThat(again.decidedBy()).isEqualTo(first.decidedBy());
    Held held = Bench.now(done -> node.reserve(request("other", 1), 60_000, done));
    Held same = Bench.now(done -> node.reserve(request("other", 1), 60_000, done));
    assertThat(same.id()).isEqualTo(held.id());
    assertThat(same.answer().decidedBy()).isEqualTo(held.answer().decidedBy());
  }

  /** R4: what was not kept is unknown, never allowed in memory. */
  @Test
  void strict_ownershipEndsBeforeItIsKept_isUnknown() {
    put("api/user", STRICT);
    LocalNode node = owner("1");
    List<Object> told = new ArrayList<>();
    log.hold();
    node.check(request(null, 1), into(told));
    node.reserve(request(null, 1), 60_000, into(told));
    node.reset("api", List.of(Descriptor.of("user", "42")), into(told));
    assertThat(told).isEmpty();
    log.lose();
    assertThat(told).hasSize(3).allMatch(UnavailableException.class::isInstance);
  }

  @Test
  void strict_decidedAfterOwnershipEnded_isUnknownToo() {
    put("api/user", STRICT);
    LocalNode node = owner("1");
    log.lose();
    List<Object> told = new ArrayList<>();
    node.check(request(null, 1), into(told));
    node.check(request("id", 1), into(told));
    assertThat(told).hasSize(2).allMatch(UnavailableException.class::isInstance);
  }

  /** R14: what is not fresh waits for its commit. */
  @Test
  void fast_logIsNotFresh_waitsUntilItIsKept() {
    put("api/user", TEN_A_DAY);
    LocalNode node = owner("1");
    log.fresh(false);
    log.hold();
    List<Object> told = new ArrayList<>();
    node.check(request(null, 1), into(told));
    Throttled throttled = node.throttle(7, Limit.parse("5/s"), 1, clock.nanos(), () -> into(told));
    assertThat(throttled).isNull();
    assertThat(told).isEmpty();
    log.keep();
    assertThat(told).hasSize(2);
    assertThat(((Answer) told.get(0)).durability()).isEqualTo(Durability.FAST);
    assertThat(((Throttled) requireNonNull(told.get(1))).remaining()).isEqualTo(4);
  }

  @Test
  void fast_ownershipEnded_isUnknown() {
    put("api/user", TEN_A_DAY);
    LocalNode node = owner("1");
    log.lose();
    List<Object> told = new ArrayList<>();
    node.check(request(null, 1), into(told));
    node.throttle(7, Limit.parse("5/s"), 1, clock.nanos(), () -> into(told));
    node.forget(7, into(told));
    assertThat(told).hasSize(3).allMatch(UnavailableException.class::isInstance);
  }
}
