package io.penstock.server.policy;

import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.node.PolicyDesk;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** One node of a cluster without a network: a store that follows a log, and its policy book. */
final class Member implements AutoCloseable {
  private static final long SHARD_BYTES = 16 << 20;

  final Path file;
  private final InstantSource wallClock;
  private final Proposer proposer;
  private Shard shard;
  private PolicyStore store;
  private PolicyDesk book;

  Member(Path folder, InstantSource wallClock, Proposer proposer) {
    this.file = folder.resolve("policies.db");
    this.wallClock = wallClock;
    this.proposer = proposer;
    this.shard = shard();
    this.store = PolicyStore.replica(file, wallClock, proposer);
    this.book = readBook();
  }

  private static Shard shard() {
    return Shard.open(ShardOptions.of(/* folder= */ null, new ManualClock(), SHARD_BYTES));
  }

  private PolicyDesk readBook() {
    Node node = new LocalNode("n1", shard, new Node.Secret(1, 2));
    node.policies().load(store::forEachCurrent);
    store.planBy(node.policies()::counters);
    store.onChange(node.policies()::apply);
    return node.policies();
  }

  void restart() {
    close();
    shard = shard();
    store = PolicyStore.replica(file, wallClock, proposer);
    book = readBook();
  }

  PolicyStore store() {
    return store;
  }

  /** Everything that must be the same everywhere, in words. */
  List<String> content(List<String> names, List<String> documents) {
    List<String> content = new ArrayList<>();
    byte[] secret = store.secret();
    content.add("secret " + (secret == null ? "none" : HexFormat.of().formatHex(secret)));
    content.add("applied " + store.appliedIndex() + ", revision " + store.revision());
    store.forEachCurrent(change -> content.add(change.toString()));
    for (Kind kind : Kind.values()) {
      for (String name : names) {
        store
            .history(kind, name, Change.NEVER, 1_000)
            .items()
            .forEach(change -> content.add(change.toString()));
      }
    }
    for (String name : names) {
      for (String document : documents) {
        content.add("next " + name + " " + book.counters(Kind.POLICY, name, document));
      }
    }
    return content;
  }

  @Override
  public void close() {
    store.close();
    shard.close();
  }
}
