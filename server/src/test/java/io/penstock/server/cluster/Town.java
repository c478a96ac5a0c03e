package io.penstock.server.cluster;

import static java.util.Objects.requireNonNull;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Rules;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Extent;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.Signature;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.shard.FakeLog;
import io.penstock.shard.FakeReplica;
import io.penstock.shard.Shard;
import io.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Three nodes in memory on one clock, which agree on their policies; some groups of shards. */
final class Town {
  static final List<String> NAMES = List.of("n1", "n2", "n3");

  final ManualClock clock = new ManualClock();
  final Network network = new Network();
  final ShardMap map = new ShardMap();
  final Rules rules = new Rules();
  final PolicyDesk policies = new PolicyDesk(rules, new Node.Secret(1, 2), clock);
  private final List<FakeReplica> replicas = new ArrayList<>();
  private final Map<String, List<Ownership>> ownerships = new HashMap<>();
  private final Map<String, ClusterNode> nodes = new HashMap<>();
  private final FakeLog[] logs;
  private final int founded;
  private int epoch;
  private long revision;

  Town() {
    this(1);
  }

  Town(int groups) {
    this(groups, groups);
  }

  /** One where only so many groups were there from the beginning (R19). */
  Town(int groups, int founded) {
    this.founded = founded;
    logs = new FakeLog[groups];
    for (int i = 0; i < groups; i++) {
      replicas.add(new FakeReplica(rules, clock));
      logs[i] = new FakeLog();
    }
    for (String name : NAMES) {
      ownerships.put(name, Stream.generate(Ownership::new).limit(groups).toList());
      network.add(name, new OwnerDesk(name, owners(name), clock));
      nodes.put(name, new ClusterNode(name, owners(name), network, policies, clock));
    }
  }

  Town policy(String scope, String document) {
    revision++;
    policies.apply(change(scope, revision, document, policies));
    return this;
  }

  static Change change(String scope, long revision, String document, PolicyDesk policies) {
    String counters = policies.counters(Kind.POLICY, scope, document);
    return new Change(
        Kind.POLICY, scope, revision, revision, Instant.EPOCH, "test", document, counters);
  }

  ClusterNode node(String name) {
    return requireNonNull(nodes.get(name));
  }

  Ownership ownership(String name) {
    return requireNonNull(ownerships.get(name)).get(0);
  }

  Owners owners(String name) {
    Owners owners = Owners.of(requireNonNull(ownerships.get(name)), map);
    map.begin(founded);
    return owners;
  }

  /** The log of the owner there was last. */
  FakeLog log() {
    return log(0);
  }

  FakeLog log(int group) {
    return logs[group];
  }

  /** A node owns from now on, and then the others know. */
  Town own(String name) {
    return own(0, name);
  }

  /** The same of a group. */
  Town own(int group, String name) {
    ownUnheard(group, name);
    for (String each : NAMES) {
      if (!each.equals(name)) {
        knows(group, each, name);
      }
    }
    return this;
  }

  /** A node owns from now on, and the others do not hear of it. */
  void ownUnheard(String name) {
    ownUnheard(0, name);
  }

  private void ownUnheard(int group, String name) {
    FakeLog kept = new FakeLog();
    logs[group] = kept;
    epoch++;
    Shard shard = policies.build(() -> replicas.get(group).with(kept));
    Signature signature = Signature.ofOwner(name, "" + epoch);
    LocalNode local = new LocalNode(signature, shard, policies, new Extent(group, founded));
    change(group, name, new Ownership.View(local, name, "" + epoch));
  }

  /** The node that decides in a group; null if none does. */
  @Nullable LocalNode local(int group) {
    return NAMES.stream()
        .map(name -> requireNonNull(ownerships.get(name)).get(group).now().local())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private void change(int group, String name, Ownership.View view) {
    requireNonNull(ownerships.get(name)).get(group).change(view);
  }

  /** A node hears who owns; null if nobody knows any more. */
  void knows(String name, @Nullable String owner) {
    knows(0, name, owner);
  }

  void knows(int group, String name, @Nullable String owner) {
    change(group, name, new Ownership.View(/* local= */ null, owner, "" + epoch));
  }

  /** Nobody owns any more, and nobody knows who will. */
  void lose() {
    lose(0);
  }

  void lose(int group) {
    logs[group].lose();
    for (String each : NAMES) {
      knows(group, each, null);
    }
  }

  void advanceMillis(long millis) {
    clock.advance(Duration.ofMillis(millis));
  }

  static CheckRequest request(@Nullable String id, long cost, String... keysAndValues) {
    Asked asked = new Asked(Descriptor.of(keysAndValues), cost, null);
    return new CheckRequest("api", List.of(asked), id, /* mayRefund= */ false);
  }

  static CheckRequest user(@Nullable String id, long cost) {
    return request(id, cost, "user", "42");
  }

  /** What somebody was told: answers and failures alike. */
  static final class Told<T> implements Asker<T> {
    final List<T> answers = new ArrayList<>();
    final List<RuntimeException> failures = new ArrayList<>();

    @Override
    public void accept(T answer) {
      answers.add(answer);
    }

    @Override
    public void fail(RuntimeException cause) {
      failures.add(cause);
    }

    boolean isNothing() {
      return answers.isEmpty() && failures.isEmpty();
    }

    /** The one answer, which nothing else came with. */
    T answer() {
      if (answers.size() != 1 || !failures.isEmpty()) {
        throw new AssertionError("told: " + answers + ", " + failures + " (expected: one answer)");
      }
      return answers.get(0);
    }

    RuntimeException failure() {
      if (failures.size() != 1 || !answers.isEmpty()) {
        throw new AssertionError("told: " + answers + ", " + failures + " (expected: one failure)");
      }
      return failures.get(0);
    }
  }

  Told<Answer> check(String node, CheckRequest request) {
    Told<Answer> told = new Told<>();
    node(node).check(request, told);
    return told;
  }

  /** What is left of a key, by the owner. */
  long left(String owner) {
    return check(owner, user(/* id= */ null, 0)).answer().remaining();
  }
}
