package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.state.Rules;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.Extent;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.shard.FakeLog;
import io.penstock.shard.FakeReplica;
import io.penstock.shard.Shard;
import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes in one thread that carry out changes of one policy each at its own pace, forward
 * checks, and follow each other as owners, as a seed says. Confined.
 */
final class Country {
  private static final String POLICY = "{\"limits\":[\"%d/day\"],\"consistency\":\"strict\"}";
  private static final long CAPACITY = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final Random random;
  private final boolean catchesUp;
  private final Network network = new Network();
  private final List<Member> members = new ArrayList<>();
  private long committed;
  private long epoch;
  private long newestSeen;
  private int decided;
  private int changesSeen;

  /**
   * Nodes of which the first owns; all know the first version.
   *
   * @param catchesUp false if a new owner decides by whatever policies it has
   */
  Country(long seed, boolean catchesUp) {
    this.random = new Random(seed);
    this.catchesUp = catchesUp;
    Town.NAMES.forEach(name -> members.add(new Member(name)));
    committed = 1;
    members.forEach(Member::carryOutNext);
    members.get(0).own();
  }

  /** Somebody who waits until a revision is carried out. */
  private record CatchingUp(CompletableFuture<Void> asked, long revision) {}

  /** One node: what it has carried out, what it knows, and what it owns or believes to own. */
  private final class Member implements Tenure.Groups {
    private final String name;
    private final Rules rules = new Rules();
    private final PolicyDesk desk = new PolicyDesk(rules, new Node.Secret(1, 2), clock);
    private final Ownership ownership = new Ownership();
    private final List<CatchingUp> catchingUp = new ArrayList<>();
    private final Tenure tenure;
    private final ClusterNode node;
    private FakeLog log = new FakeLog();
    private @Nullable String heard;

    private Member(String name) {
      this.name = name;
      this.tenure = new Tenure(name, Extent.ALL, ownership, this, clock);
      this.node = new ClusterNode(name, Owners.of(List.of(ownership)), network, desk, clock);
      network.add(name, new OwnerDesk(name, Owners.of(List.of(ownership)), clock));
      tenure.decideAt(desk);
    }

    @Override
    public CompletionStage<?> catchUp() {
      CompletableFuture<Void> asked = new CompletableFuture<>();
      catchingUp.add(new CatchingUp(asked, catchesUp ? committed : 0));
      tellCaughtUp();
      return asked;
    }

    @Override
    public Standing standing() {
      return new Standing("shards", heard, epoch, /* appliedIndex= */ 0, Town.NAMES);
    }

    /** Owns from now on; whoever did before may not know it for a while. */
    private void own() {
      members.forEach(each -> each.log.lose());
      loseOwned();
      epoch++;
      log = new FakeLog();
      heard = name;
      Shard shard = tenure.build(() -> new FakeReplica(rules, clock).with(log));
      tenure.owns(shard, epoch);
    }

    private void loseOwned() {
      Shard before = tenure.owned();
      if (before != null) {
        tenure.isOver(before);
      }
    }

    private void hear(String owner) {
      heard = owner;
      if (!owner.equals(name)) {
        loseOwned();
      }
      tenure.tell();
    }

    private void carryOutNext() {
      long next = desk.revision() + 1;
      if (next <= committed) {
        desk.apply(Town.change("api/user", next, POLICY.formatted(CAPACITY + next), desk));
        tellCaughtUp();
      }
    }

    private void tellCaughtUp() {
      List<CatchingUp> done =
          catchingUp.stream().filter(each -> each.revision <= desk.revision()).toList();
      catchingUp.removeAll(done);
      done.forEach(each -> each.asked.complete(null));
    }
  }

  private Member any() {
    return members.get(random.nextInt(members.size()));
  }

  private String owner() {
    return members.stream()
        .filter(each -> each.log.isDurable() && each.tenure.owned() != null)
        .map(each -> each.name)
        .findFirst()
        .orElseThrow();
  }

  /** Whatever comes next. */
  void step() {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> check(any());
      case 5, 6 -> committed++;
      case 7, 8 -> any().carryOutNext();
      case 9 -> any().hear(owner());
      case 10 -> clock.advance(Duration.ofMillis(random.nextInt(60)));
      default -> mayOwn(any());
    }
  }

  private void mayOwn(Member next) {
    if (random.nextInt(3) == 0) {
      next.own();
    }
  }

  private void check(Member entry) {
    long known = entry.desk.revision();
    Asker<Answer> asker = Asker.of(answer -> answered(answer, known), failure -> {});
    entry.node.check(Town.user(/* id= */ null, 1), asker);
  }

  private void answered(Answer answer, long known) {
    if (!answer.decidedBy().contains(" epoch ")) {
      return;
    }
    long version = answer.part().policyVersion();
    assertThat(version).as("policyVersion").isGreaterThanOrEqualTo(Math.max(newestSeen, known));
    changesSeen += version > newestSeen ? 1 : 0;
    newestSeen = version;
    decided++;
  }

  /** How many checks an owner has decided. */
  int decided() {
    return decided;
  }

  /** How often a decision was by a newer version than all before. */
  int changesSeen() {
    return changesSeen;
  }

  long epochs() {
    return epoch;
  }
}
