package io.penstock.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Rules;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Held;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.Settled;
import io.penstock.server.node.Throttled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Questions asked of a node that does not own. */
class ForwardingTest {
  private static final String TEN_A_DAY = "{\"limits\":[\"10/day\"]}";

  private final Town town = town();

  private static Town town() {
    return new Town()
        .policy("api/user", TEN_A_DAY)
        .policy("api/org", "{\"limits\":[\"3/min\",\"5/day\"],\"consistency\":\"strict\"}")
        .policy("api/slot", "{\"limits\":[\"2 concurrent lease 30s\"]}")
        .policy("api/queue", "{\"limits\":[\"10/s burst 5\"],\"algorithm\":\"leaky-queue\"}")
        .own("n2");
  }

  private static <T> void add(List<Object> said, Told<T> told) {
    said.addAll(told.answers);
    told.failures.forEach(cause -> said.add(cause.toString()));
  }

  private static void check(Node node, CheckRequest request, List<Object> said) {
    Told<Answer> told = new Told<>();
    try {
      node.check(request, told);
    } catch (RuntimeException e) {
      said.add(e.toString());
    }
    add(said, told);
  }

  private static String hold(Node node, boolean slot, List<Object> said) {
    Told<Held> told = new Told<>();
    if (slot) {
      node.acquire(Town.request("a", 1, "slot", "1"), 10_000, told);
    } else {
      node.reserve(Town.user("r", 2), 60_000, told);
    }
    said.add(told.answer().answer());
    return String.valueOf(told.answer().id());
  }

  private static void throttle(Node node, long cost, List<Object> said) {
    byte[] key = "key".getBytes(UTF_8);
    Told<Throttled> told = new Told<>();
    Throttled atOnce =
        node.throttle(
            node.hash(key, 0, key.length),
            Limit.parse("30/60s burst 16"),
            cost,
            node.nanos(),
            () -> told);
    if (atOnce != null) {
      said.add(atOnce);
    }
    add(said, told);
    Told<Boolean> forgotten = new Told<>();
    node.forget(node.hash(key, 1, key.length - 1), forgotten);
    add(said, forgotten);
  }

  private static void settle(Node node, List<Object> said) {
    String reserved = hold(node, /* slot= */ false, said);
    String slot = hold(node, /* slot= */ true, said);
    List<Told<Settled>> settled = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      settled.add(new Told<>());
    }
    node.commit(reserved, 5, settled.get(0));
    node.cancel(reserved, settled.get(1));
    node.renew(slot, settled.get(2));
    node.release(slot, settled.get(3));
    node.renew(slot, settled.get(4));
    node.cancel("nonsense", settled.get(5));
    settled.forEach(each -> add(said, each));
  }

  private static void order(Node node, long nowMillis, List<Object> said) {
    List<Descriptor> keys = List.of(Descriptor.of("user", "42"), Descriptor.of("org", "\ud800"));
    List<Told<Durability>> told = List.of(new Told<>(), new Told<>(), new Told<>());
    node.block("api", keys, nowMillis + 60_000, told.get(0));
    check(node, Town.user(null, 1), said);
    node.block("api", keys, 0, told.get(0));
    node.override("api", keys, List.of(Limit.parse("7/day")), nowMillis + 60_000, told.get(1));
    check(node, Town.user(null, 1), said);
    node.reset("api", keys, told.get(2));
    check(node, Town.user(null, 1), said);
    told.forEach(each -> add(said, each));
  }

  /** Everything that can be asked, and what is said to it. */
  private static List<Object> interview(Town town, Node node) {
    List<Object> said = new ArrayList<>();
    check(node, Town.user(null, 3), said);
    check(node, Town.user("id", 1), said);
    check(node, Town.user("id", 1), said);
    check(node, Town.request(null, 4, "org", "\ud800\u20ac"), said);
    check(node, Town.request(null, 9, "org", "x"), said);
    check(node, Town.request(null, 1, "none", ""), said);
    check(node, Town.request(null, 2, "queue", "q"), said);
    check(node, Town.request(null, 2, "queue", "q"), said);
    check(node, Town.user(null, -1), said);
    Descriptor user = Descriptor.of("user", "42");
    List<Asked> both = List.of(new Asked(user, 1, null), new Asked(user, -1, null));
    check(node, new CheckRequest("api", both, null, /* mayRefund= */ true), said);
    Asked given = new Asked(Descriptor.of("org", "g"), 2, Limit.parse("3/hour"));
    check(node, new CheckRequest("api", List.of(given), null, false), said);
    settle(node, said);
    throttle(node, 1, said);
    throttle(node, 20, said);
    order(node, town.clock.instant().toEpochMilli(), said);
    return said;
  }

  @Test
  void everyCall_throughAnotherNode_isAnsweredAsByTheOwner() {
    Town other = town();
    List<Object> direct = interview(town, town.node("n2"));
    assertThat(town.network.asked).isEmpty();
    assertThat(interview(other, other.node("n1"))).isEqualTo(direct);
    assertThat(other.network.asked).hasSizeGreaterThan(20).containsOnly("n2");
    assertThat(direct).hasSize(30);
  }

  @Test
  void check_throughAnotherNode_saysWhoDecided() {
    assertThat(town.check("n3", Town.user(null, 1)).answer().decidedBy())
        .matches("n2 shard \\d+ epoch 1");
  }

  /** An order replaces the limits, and not what the policy promises. */
  @Test
  void check_overriddenStrictKey_staysStrictAlsoAtTheNextOwner() {
    List<Descriptor> keys = List.of(Descriptor.of("org", "1"));
    long until = town.clock.instant().toEpochMilli() + 60_000;
    town.node("n1").override("api", keys, List.of(Limit.parse("7/day")), until, new Told<>());
    CheckRequest one = Town.request(null, 1, "org", "1");
    Answer first = town.check("n1", one).answer();
    Answer next = town.own("n3").check("n1", one).answer();
    assertThat(List.of(first.durability(), next.durability())).containsOnly(Durability.STRICT);
    assertThat(next.remaining()).isEqualTo(5);
  }

  @Test
  void mistakes_throughAnotherNode_areTheSame() {
    assertThat(town.check("n1", Town.user(null, -1)).failure())
        .isInstanceOf(RefundRefusedException.class)
        .hasMessageContaining("cost: -1");
    Told<Settled> settled = new Told<>();
    town.node("n1").commit("x", -1, settled);
    assertThat(settled.failure())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cost: -1 (expected: >= 0)");
    assertThatThrownBy(() -> town.node("n2").commit("x", -1, settled))
        .hasMessage("cost: -1 (expected: >= 0)");
  }

  /** R20: a wrong owner answers with the owner it knows, never with a decision. */
  @Test
  void check_staleOwner_isLedToTheNextAndDecidedOnce() {
    town.own("n3");
    town.knows("n1", "n2");
    assertThat(town.check("n1", Town.user(null, 1)).answer().decidedBy()).startsWith("n3 ");
    assertThat(town.network.asked).containsExactly("n2", "n3");
    assertThat(town.left("n3")).isEqualTo(9);
  }

  @Test
  void r20_askedWhoDoesNotOwn_saysWhoDoesAndDecidesNothing() {
    Question<Answer> question = new Question.Check(Town.user(null, 1));
    byte[] bytes = QuestionCodec.write(new Delivery<>(7, 1, 0, 50, 0, question));
    List<byte[]> told = new ArrayList<>();
    new OwnerDesk("n1", town.owners("n1"), town.clock).answer(bytes, told::add);
    assertThat(Response.read(question, told.get(0))).isEqualTo(new Response.NotOwner<>("n2"));
    town.lose();
    new OwnerDesk("n1", town.owners("n1"), town.clock).answer(bytes, told::add);
    assertThat(Response.read(question, told.get(1))).isEqualTo(new Response.NotOwner<>(null));
    town.own("n2");
    assertThat(town.left("n2")).isEqualTo(10);
  }

  @Test
  void desk_malformedQuestion_isRefusedAndDecidesNothing() {
    List<byte[]> told = new ArrayList<>();
    new OwnerDesk("n2", town.owners("n2"), town.clock).answer(new byte[] {9}, told::add);
    Response<Answer> response = Response.read(new Question.Check(Town.user(null, 1)), told.get(0));
    String why = "format: 9 (expected: " + QuestionCodec.FORMAT + "; another version wrote it)";
    assertThat(response).isEqualTo(new Response.Unknown<Answer>(why));
  }

  @Test
  void check_ownerIsNotReadyYet_waitsThereUntilItIs() {
    town.lose();
    town.knows("n2", "n2");
    town.knows("n1", "n2");
    Told<Answer> told = town.check("n1", Town.user(null, 1));
    town.advanceMillis(40);
    assertThat(told.isNothing()).isTrue();
    town.own("n2");
    assertThat(told.answer().decidedBy()).startsWith("n2 ");
    assertThat(town.network.asked).as("not asked again and again").hasSize(1);
  }

  @Test
  void check_ownerHasNotHeardOfIt_isAskedAgainAfterAPauseAndFewTimes() {
    town.lose();
    town.knows("n1", "n2");
    Told<Answer> told = town.check("n1", Town.request(null, 1, "org", "1"));
    town.advanceMillis(249);
    assertThat(told.isNothing()).isTrue();
    assertThat(town.network.asked).hasSizeBetween(2, 5);
    Told<Answer> other = town.check("n1", Town.user(null, 1));
    town.ownUnheard("n2");
    town.advanceMillis(10);
    assertThat(other.answer().remaining()).isEqualTo(9);
  }

  @Test
  void check_ownerIsNeverReady_isNotDecidedLater() {
    town.lose();
    town.knows("n2", "n2");
    town.knows("n1", "n2");
    Told<Answer> told = town.check("n1", Town.user(null, 1));
    town.advanceMillis(50);
    assertThat(told.answer().why().text()).isEqualTo("fail-open");
    town.own("n2");
    assertThat(town.left("n2")).isEqualTo(10);
  }

  /** R18: the owner never decides by older policies than those who ask know. */
  @Test
  void check_ownerIsBehindInPolicies_waitsForThem() {
    PolicyDesk ahead = new PolicyDesk(new Rules(), new Node.Secret(1, 2), town.clock);
    ahead.apply(Town.change("api/user", 5, "{\"limits\":[\"20/day\"]}", ahead));
    Ownership ownership = new Ownership();
    ownership.change(new Ownership.View(null, "n2", "1"));
    ClusterNode node =
        new ClusterNode("n4", Owners.of(List.of(ownership)), town.network, ahead, town.clock);
    Told<Answer> told = new Told<>();
    node.check(Town.user(null, 1), told);
    assertThat(told.isNothing()).isTrue();
    town.policies.apply(Town.change("api/user", 5, "{\"limits\":[\"20/day\"]}", town.policies));
    assertThat(told.answer().remaining()).isEqualTo(19);
  }
}
