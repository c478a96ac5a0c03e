package io.penstock.server.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.server.cluster.Town.Told;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Extent;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.Signature;
import io.penstock.shard.FakeLog;
import io.penstock.shard.FakeReplica;
import io.penstock.shard.Shard;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** From when on a node decides on what it owns, and who is told. */
class TenureTest {
  private static final String TEN_A_DAY = "{\"limits\":[\"10/day\"]}";

  private final ManualClock clock = new ManualClock();
  private final Rules rules = new Rules();
  private final PolicyDesk desk = new PolicyDesk(rules, new Node.Secret(1, 2), clock);
  private final Ownership ownership = new Ownership();
  private final FakeGroups groups = new FakeGroups();
  private final Tenure tenure = new Tenure("n1", Extent.ALL, ownership, groups, clock);

  private static final class FakeGroups implements Tenure.Groups {
    private final List<CompletableFuture<Void>> catchingUp = new ArrayList<>();
    private Runnable whileAsked = () -> {};

    @Override
    public CompletionStage<?> catchUp() {
      CompletableFuture<Void> asked = new CompletableFuture<>();
      catchingUp.add(asked);
      return asked;
    }

    @Override
    public Standing standing() {
      Runnable now = whileAsked;
      whileAsked = () -> {};
      now.run();
      return new Standing("shards", "n2", /* term= */ 4, /* appliedIndex= */ 0, Town.NAMES);
    }
  }

  private Shard shard() {
    return tenure.build(() -> new FakeReplica(rules, clock).with(new FakeLog()));
  }

  private @Nullable Node deciding() {
    return ownership.now().local();
  }

  @Test
  void r18_newOwner_decidesOnlyAfterItHasCaughtUpWithPolicies() {
    tenure.decideAt(desk);
    tenure.owns(shard(), 5);
    tenure.tell();
    assertThat(deciding()).isNull();
    groups.catchingUp.get(0).complete(null);
    assertThat(deciding()).isNotNull();
    assertThat(ownership.now().owner()).isEqualTo("n1");
    assertThat(ownership.now().epoch()).isEqualTo("5");
  }

  @Test
  void r18_catchingUpFails_isTriedAgainAndNothingDecidedMeanwhile() {
    tenure.decideAt(desk);
    tenure.owns(shard(), 5);
    groups.catchingUp.get(0).completeExceptionally(new IOException("no leader"));
    assertThat(deciding()).isNull();
    assertThat(groups.catchingUp).hasSize(1);
    clock.advance(Duration.ofMillis(100));
    assertThat(groups.catchingUp).hasSize(2);
    tenure.tell();
    assertThat(deciding()).isNull();
    groups.catchingUp.get(1).complete(null);
    assertThat(deciding()).isNotNull();
  }

  @Test
  void r18_ownershipEndsWhileItCatchesUp_isNeitherDecidedOnNorTriedAgain() {
    tenure.decideAt(desk);
    Shard first = shard();
    tenure.owns(first, 5);
    tenure.isOver(first);
    Shard second = shard();
    tenure.owns(second, 6);
    groups.catchingUp.get(0).complete(null);
    assertThat(deciding()).as("only the first has caught up").isNull();
    groups.catchingUp.get(1).complete(null);
    assertThat(ownership.now().epoch()).isEqualTo("6");
    tenure.isOver(second);
    assertThat(deciding()).isNull();
    assertThat(ownership.now().owner()).isEqualTo("n2");

    Shard third = shard();
    tenure.owns(third, 7);
    tenure.isOver(third);
    groups.catchingUp.get(2).completeExceptionally(new IOException("no leader"));
    clock.advance(Duration.ofSeconds(1));
    assertThat(groups.catchingUp).hasSize(3);
  }

  @Test
  void r18_secretLearnedWhileItCatchesUp_decidesNothingYet() {
    tenure.owns(shard(), 5);
    tenure.decideAt(desk);
    assertThat(deciding()).as("policies that follow the secret may be missing").isNull();
    groups.catchingUp.get(0).complete(null);
    assertThat(deciding()).isNotNull();
  }

  @Test
  void shard_ownedBeforeTheSecretIsKnown_isDecidedOnOnlyAtTheDeskOnceItIs() {
    tenure.owns(shard(), 5);
    groups.catchingUp.get(0).complete(null);
    assertThat(deciding()).as("no keys are known").isNull();
    tenure.decideAt(desk);
    Node node = requireNonNull(deciding());
    desk.apply(Town.change("api/user", 1, TEN_A_DAY, desk));
    assertThat(take(node, 8)).isEqualTo(2);
    desk.apply(Town.change("api/user", 2, "{\"limits\":[\"12/day\"]}", desk));
    assertThat(take(node, 0)).as("a change converts what its keys have used").isEqualTo(4);
  }

  /* There are 4,093 numbers of rules; a change that finds no shard gives them again at once. */
  @Test
  void policies_changedOftenWhileAShardWithoutADeskCatchesUp_leaveWhatItsKeysHaveUsed() {
    Shard shard = shard();
    PolicyDesk before = new PolicyDesk(rules, new Node.Secret(1, 2), clock);
    before.apply(Town.change("api/user", 1, TEN_A_DAY, before));
    before.build(() -> shard);
    LocalNode owner = new LocalNode(Signature.ofOwner("n2", "4"), shard, before, Extent.ALL);
    assertThat(take(owner, 8)).isEqualTo(2);

    desk.load(stored -> stored.accept(Town.change("api/user", 1, TEN_A_DAY, desk)));
    tenure.owns(shard, 5);
    tenure.decideAt(desk);
    desk.apply(Town.change("api/user", 2, "{\"limits\":[\"12/day\"]}", desk));
    for (int i = 3; i < 5_000; i++) {
      desk.apply(Town.change("api/other", i, "{\"limits\":[\"" + i + "/day\"]}", desk));
    }
    groups.catchingUp.get(0).complete(null);
    assertThat(take(requireNonNull(deciding()), 0)).isEqualTo(4);
  }

  @Test
  void r12_shardThatEndsBeforeThereIsADesk_keepsNoNumberOfARule() {
    Shard shard = shard();
    tenure.owns(shard, 5);
    tenure.isOver(shard);
    for (int i = 1; i <= 5_000; i++) {
      Rule rule = rules.shared(Limit.parse(i + "/min"), Algorithm.GCRA);
      assertThat(rule.isGiven()).as("rule " + i + " has no number").isFalse();
      rules.unshare(rule, /* successor= */ null, clock.nanos());
      rules.sweptWithoutStates(clock.nanos());
    }
  }

  private static long take(Node node, long cost) {
    Told<Answer> told = new Told<>();
    node.check(Town.user(/* id= */ null, cost), told);
    return told.answer().remaining();
  }

  /** One thread has seen that another node owns, and tells it late: after another has the news. */
  @Test
  void views_toldByTwoThreads_theOldOneNeverComesLast() throws InterruptedException {
    tenure.decideAt(desk);
    tenure.owns(shard(), 5);
    Thread news = new Thread(() -> groups.catchingUp.get(0).complete(null));
    groups.whileAsked =
        () -> {
          news.start();
          while (news.getState() != Thread.State.BLOCKED && news.isAlive()) {
            Thread.onSpinWait();
          }
        };
    tenure.tell();
    news.join();
    assertThat(deciding()).isNotNull();
    assertThat(ownership.now().owner()).isEqualTo("n1");
  }
}
