package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.Signature;
import io.penstock.server.policy.LateGroup;
import io.penstock.server.policy.Placement;
import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** R19: when a cluster grows, and who sees to that. */
class GrowerTest {
  private final ManualClock clock = new ManualClock();
  private final Owners owners =
      Owners.of(Stream.generate(Ownership::new).limit(3).toList(), new ShardMap());
  private final Toy site = new Toy();
  private final Grower grower = new Grower(site, owners, clock);
  private final List<String> done = new ArrayList<>();

  /** A cluster of nodes that answer, or do not. */
  private final class Toy implements Grower.Site {
    private final List<String> names = new ArrayList<>(List.of("n1", "n2", "n3"));
    private final List<String> silent = new ArrayList<>();
    private final List<String> draining = new ArrayList<>();
    private final List<String> ignorant = new ArrayList<>();
    private boolean leads = true;
    private boolean even = true;
    private boolean settled = true;
    private boolean failing;

    @Override
    public boolean isLeader() {
      return leads;
    }

    @Override
    public CompletionStage<List<NodeState>> nodes() {
      return CompletableFuture.completedFuture(names.stream().map(this::state).toList());
    }

    private NodeState state(String node) {
      int groups = owners.size() - (ignorant.contains(node) ? 1 : 0);
      List<Standing> all =
          Stream.concat(
                  Stream.of("meta"), IntStream.range(0, groups).mapToObj(each -> "shards-" + each))
              .map(group -> new Standing(group, "n1", 1, 0, names))
              .toList();
      return silent.contains(node)
          ? NodeState.unreachable(node)
          : new NodeState(node, true, draining.contains(node), 0L, all);
    }

    @Override
    public boolean isEven(List<NodeState> nodes) {
      return even;
    }

    @Override
    public @Nullable String founders() {
      return settled ? String.join(" ", names) : null;
    }

    @Override
    public CompletionStage<?> propose(LateGroup group) {
      boolean isNew = group.number() == owners.size();
      String what = group.filled() ? "full " : isNew ? "create " : "spare ";
      done.add(what + group.number() + " by " + group.founders());
      var unused = owners.add(group.number());
      grower.put(group);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> move(int shard, int group) {
      if (failing) {
        return CompletableFuture.failedFuture(new IllegalStateException("not now"));
      }
      done.add("move " + shard);
      owners.map().put(new Placement(shard, group, 1, 1, Placement.NONE));
      return CompletableFuture.completedFuture(null);
    }
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      clock.advance(Duration.ofSeconds(1));
    }
  }

  private void begin() {
    grower.begin();
  }

  private void joins() {
    site.names.add("n4");
  }

  @Test
  void r19_nodeJoins_groupIsMadeFilledAndThenNothingMore() {
    begin();
    pass(5);
    assertThat(done).isEmpty();
    joins();
    pass(3);
    assertThat(done).first().isEqualTo("create 3 by n1 n2 n3 n4");
    pass(10);
    assertThat(done).hasSize(1 + 64 + 1).last().isEqualTo("full 3 by n1 n2 n3 n4");
    assertThat(shardsOf(3)).isEqualTo(64);
    pass(5);
    assertThat(done).hasSize(66);
  }

  private long shardsOf(int group) {
    return IntStream.range(0, Signature.SHARDS).filter(each -> owners.group(each) == group).count();
  }

  @Test
  void r19_nodeIsRemoved_whatItHadIsSharedAndTheNextGetsItsGroup() {
    begin();
    joins();
    pass(13);
    done.clear();
    site.names.remove("n4");
    pass(14);
    assertThat(done).as("it may be replaced").isEmpty();
    pass(10);
    assertThat(done).hasSize(1 + 64).first().isEqualTo("spare 3 by n1 n2 n3 n4");
    assertThat(shardsOf(0)).isEqualTo(86);
    assertThat(shardsOf(3)).isZero();
    done.clear();
    joins();
    pass(10);
    assertThat(done).hasSize(64 + 1).last().isEqualTo("full 3 by n1 n2 n3 n4");
    assertThat(shardsOf(3)).isEqualTo(64);
  }

  @Test
  void r19_founderIsRemoved_whatItHadIsShared() {
    begin();
    site.names.remove("n3");
    pass(30);
    assertThat(done).first().isEqualTo("spare 2 by n1 n2");
    assertThat(List.of(shardsOf(0), shardsOf(1), shardsOf(2))).containsExactly(128L, 128L, 0L);
  }

  @Test
  void r19_founderAndAnotherAreRemoved_areWaitedForOnce() {
    begin();
    joins();
    pass(13);
    done.clear();
    site.names.removeAll(List.of("n1", "n4"));
    pass(14);
    assertThat(done).as("they may be replaced").isEmpty();
    pass(6);
    assertThat(List.of(shardsOf(0), shardsOf(1))).containsExactly(128L, 128L);
    assertThat(done).hasSize(1 + 1 + 128);
  }

  @Test
  void r19_nodeIsReplaced_nothingIsMoved() {
    begin();
    for (int i = 0; i < 5; i++) {
      String gone = site.names.remove(2);
      pass(10);
      site.names.add(gone + "x");
      pass(10);
    }
    assertThat(done).isEmpty();
  }

  @Test
  void r19_seenOnce_isNotDoneYet() {
    begin();
    joins();
    pass(1);
    assertThat(done).isEmpty();
    site.names.remove("n4");
    pass(3);
    assertThat(done).isEmpty();
  }

  @Test
  void r19_whoDoesNotLead_doesNothing() {
    site.leads = false;
    joins();
    begin();
    pass(5);
    assertThat(done).isEmpty();
  }

  @Test
  void r19_nodeThatIsAwayDrainsOrOwnsTooMuch_isWaitedFor() {
    joins();
    begin();
    site.silent.add("n2");
    pass(5);
    site.silent.clear();
    site.draining.add("n2");
    pass(5);
    site.draining.clear();
    site.ignorant.add("n2");
    pass(5);
    site.ignorant.clear();
    site.even = false;
    pass(5);
    site.even = true;
    site.settled = false;
    pass(5);
    assertThat(done).isEmpty();
    site.settled = true;
    pass(3);
    assertThat(done).isNotEmpty();
  }

  @Test
  void r19_moveThatFails_isTriedAgain() {
    joins();
    begin();
    site.failing = true;
    pass(10);
    assertThat(done).hasSize(1);
    site.failing = false;
    pass(10);
    assertThat(done).hasSize(66);
  }

  @Test
  void r19_whoeverLeadsNext_goesOn() {
    grower.put(new LateGroup(3, "n1 n2 n3 n4", /* filled= */ false));
    var unused = owners.add(3);
    for (int shard = 0; shard < 20; shard++) {
      owners.map().put(new Placement(shard, 3, 1, 1, Placement.NONE));
    }
    joins();
    begin();
    pass(10);
    assertThat(done).hasSize(44 + 1);
  }
}
