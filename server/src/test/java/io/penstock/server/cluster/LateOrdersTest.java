package io.penstock.server.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.Cargo;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Settled;
import io.penstock.server.node.UnavailableException;
import io.penstock.server.node.Why;
import io.penstock.server.policy.MoveStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** R19, R23: what was ordered for a key holds also in a group that came into being later. */
class LateOrdersTest {
  private static final int LATE = 3;

  private final Town town = new Town(LATE + 1, /* founded= */ LATE);
  private final Descriptor key = Descriptor.of("user", "42");
  private Runnable whenBrought = () -> {};

  @BeforeEach
  void begin() {
    town.policy("api/user", "{\"limits\":[\"10/day\"]}");
    for (int group = 0; group <= LATE; group++) {
      town.own(group, Town.NAMES.get(group % 3));
    }
  }

  private LocalNode local(int group) {
    return requireNonNull(town.local(group));
  }

  /** To all groups that there were. */
  private void order(BiConsumer<LocalNode, Told<Durability>> order) {
    for (int group = 0; group < LATE; group++) {
      Told<Durability> told = new Told<>();
      order.accept(local(group), told);
      assertThat(told.answer()).isNotNull();
    }
  }

  private long millisIn(long millis) {
    return town.clock.nanos() / 1_000_000 + millis;
  }

  private final class Ways implements Haul.Ways {
    @Override
    public Cargo.Landing bring(int group, Cargo cargo) {
      if (cargo.index() > 0) {
        whenBrought.run();
      }
      Told<Cargo.Landing> told = new Told<>();
      local(group).removals().take(cargo, told);
      return told.answer();
    }

    @Override
    public void propose(MoveStep step) {
      town.map.put(requireNonNull(town.map.get(step.shard()).after(step)));
    }
  }

  private void move(int shard, int to) {
    Ways ways = new Ways();
    ways.propose(MoveStep.begin(shard, town.map.get(shard).last() + 1, to));
    new Haul(local(town.map.group(shard)).removals(), town.map.get(shard), ways).run();
    for (int group = 0; group <= LATE; group++) {
      local(group).removals().settle(town.map.get(shard), town.map.group(shard) == group);
    }
    assertThat(town.map.group(shard)).isEqualTo(to);
  }

  private void moveIntoLate() {
    move(town.policies.shard("api", key), LATE);
  }

  private void lateIsOwnedByAnother() {
    town.lose(LATE);
    town.own(LATE, "n2");
  }

  private static CheckRequest request(Descriptor descriptor, long cost) {
    Asked asked = new Asked(descriptor, cost, /* given= */ null);
    return new CheckRequest("api", List.of(asked), /* requestId= */ null, /* mayRefund= */ false);
  }

  private Answer check(long cost) {
    return town.check("n2", request(key, cost)).answer();
  }

  @Test
  void r23_blockedKey_movesIntoALateGroup_staysBlocked() {
    order((node, told) -> node.block("api", List.of(key), millisIn(86_400_000), told));
    moveIntoLate();
    assertThat(check(1).why()).isEqualTo(Why.BLOCKED);
    lateIsOwnedByAnother();
    assertThat(check(1).why()).as("by the log").isEqualTo(Why.BLOCKED);
    move(town.policies.shard("api", key), 1);
    assertThat(check(1).why()).as("elsewhere").isEqualTo(Why.BLOCKED);
  }

  @Test
  void r23_overriddenKey_movesIntoALateGroup_staysOverridden() {
    check(2);
    order(
        (node, told) ->
            node.override(
                "api", List.of(key), List.of(Limit.parse("4/day")), millisIn(60_000), told));
    assertThat(check(0).remaining()).isEqualTo(2);
    moveIntoLate();
    assertThat(check(0).remaining()).isEqualTo(2);
    lateIsOwnedByAnother();
    assertThat(check(0).remaining()).isEqualTo(2);
    town.advanceMillis(60_001);
    assertThat(check(0).remaining()).as("under the policy again").isEqualTo(8);
  }

  @Test
  void r23_reservationFromBeforeAReset_givesNothingBackInALateGroup() {
    Told<Held> held = new Told<>();
    town.node("n3").reserve(request(key, 3), 600_000, held);
    town.advanceMillis(1);
    order((node, told) -> node.reset("api", List.of(key), told));
    check(5);
    moveIntoLate();
    Told<Settled> settled = new Told<>();
    town.node("n1").cancel(requireNonNull(held.answer().id()), settled);
    assertThat(settled.answer()).isEqualTo(Settled.DONE);
    assertThat(check(0).remaining()).isEqualTo(5);
  }

  /** A block is looked up by its key, whose shard is another than that of the shared counter. */
  @Test
  void r23_blockedKeyOfASharedCounter_movesIntoALateGroup_staysBlocked() {
    town.policy("api/file/app", "{\"limits\":[\"10/day\"],\"share\":[\"file\"]}");
    Descriptor blocked = Descriptor.of("file", "a", "app", "one");
    Descriptor free = Descriptor.of("file", "a", "app", "two");
    town.check("n1", request(free, 4));
    order((node, told) -> node.block("api", List.of(blocked), millisIn(86_400_000), told));
    move(town.policies.shard("api", blocked), LATE);
    assertThat(town.check("n1", request(blocked, 1)).answer().why()).isEqualTo(Why.BLOCKED);
    assertThat(town.check("n1", request(free, 1)).answer().remaining()).isEqualTo(5);
  }

  /** What was ordered since is newer than what comes. */
  @Test
  void r23_overrideInTheLateGroup_isNotReplacedByAnOlderOne() {
    order(
        (node, told) ->
            node.override(
                "api", List.of(key), List.of(Limit.parse("4/day")), millisIn(60_000), told));
    town.advanceMillis(10);
    Told<Durability> told = new Told<>();
    local(LATE)
        .override("api", List.of(key), List.of(Limit.parse("2/day")), millisIn(60_000), told);
    moveIntoLate();
    assertThat(check(0).remaining()).isEqualTo(2);
  }

  /* What is on the way is as it was: an order that is ended meanwhile would be undone by it. */
  @Test
  void r23_orderIsEndedWhileALateGroupFills_isRefusedAtBothEnds() {
    order((node, told) -> node.block("api", List.of(key), millisIn(86_400_000), told));
    int from = town.map.group(town.policies.shard("api", key));
    Descriptor elsewhere = Descriptor.of("user", "43");
    assertThat(town.policies.shard("api", elsewhere)).isNotEqualTo(town.policies.shard("api", key));
    List<LocalNode> both = List.of(local(from), local(LATE));
    List<LocalNode> refused = new ArrayList<>();
    whenBrought =
        () -> {
          refused.clear();
          for (LocalNode node : both) {
            assertThatThrownBy(
                    () -> node.override("api", List.of(elsewhere), List.of(), 0, new Told<>()))
                .isInstanceOf(UnavailableException.class);
            assertThatThrownBy(() -> node.block("api", List.of(key), 0, new Told<>()))
                .isInstanceOf(UnavailableException.class);
            refused.add(node);
          }
        };
    moveIntoLate();
    assertThat(refused).isEqualTo(both);
    assertThat(check(1).why()).isEqualTo(Why.BLOCKED);
    order((node, told) -> node.block("api", List.of(key), /* untilMillis= */ 0, told));
    local(LATE).block("api", List.of(key), /* untilMillis= */ 0, new Told<>());
    assertThat(check(1).why()).isEqualTo(Why.OK);
  }

  @Test
  void r23_ordersWhileAShardMovesBetweenTheFirstGroups_areTaken() {
    int shard = town.policies.shard("api", Descriptor.of("user", "43"));
    int to = (town.map.group(shard) + 1) % LATE;
    whenBrought =
        () -> order((node, told) -> node.block("api", List.of(key), millisIn(86_400_000), told));
    move(shard, to);
    assertThat(check(1).why()).isEqualTo(Why.BLOCKED);
  }
}
