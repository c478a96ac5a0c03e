package io.penstock.server.resp;

import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.Kind;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.time.Instant;

/** Nodes to serve from, on a clock that stands still. */
final class Nodes {
  private Nodes() {}

  static Node inMemory() {
    ManualClock clock = new ManualClock();
    Shard shard = Shard.open(ShardOptions.of(null, clock, 16 << 20));
    return new LocalNode("n1", shard, new Node.Secret(1, 2));
  }

  /** Puts policies, given as scopes and documents in turn, into force. */
  static Node withPolicies(String... scopesAndDocuments) {
    Node node = inMemory();
    for (int i = 0; i < scopesAndDocuments.length; i += 2) {
      put(node, scopesAndDocuments[i], scopesAndDocuments[i + 1]);
    }
    return node;
  }

  /** Puts the first version of a policy into force. */
  static void put(Node node, String scope, String document) {
    String counters = node.policies().counters(Kind.POLICY, scope, document);
    node.policies()
        .apply(new Change(Kind.POLICY, scope, 1, 1, Instant.EPOCH, "test", document, counters));
  }
}
