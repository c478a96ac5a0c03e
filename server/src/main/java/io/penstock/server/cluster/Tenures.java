package io.penstock.server.cluster;

import io.penstock.cluster.Group;
import io.penstock.cluster.Raft;
import io.penstock.cluster.Replicated;
import io.penstock.cluster.ShardGroup;
import io.penstock.cluster.ShardGroups;
import io.penstock.core.Clock;
import io.penstock.core.state.Rules;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.ServerConfig.Storage;
import io.penstock.server.node.Extent;
import io.penstock.server.node.PolicyDesk;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What this node owns of each group of shards, from when on the group is known. Thread-safe. */
final class Tenures implements ShardGroups {
  private final String name;
  private final Storage storage;
  private final Clock clock;
  private final Clock decisions;
  private final Owners owners;
  private final CompletableFuture<Raft> raft;
  private final Rules rules = new Rules();
  private final List<Tenure> tenures = new CopyOnWriteArrayList<>();
  private volatile @Nullable PolicyDesk desk;
  private volatile Consumer<String> opened = name -> {};

  /**
   * Of a node that owns nothing yet.
   *
   * @param decisions the time by which to decide
   * @param owners is told who owns
   * @param raft its part in the cluster, once that is open
   */
  Tenures(
      ServerConfig config,
      Clock clock,
      Clock decisions,
      Owners owners,
      CompletableFuture<Raft> raft) {
    this.name = config.node();
    this.storage = config.storage();
    this.clock = clock;
    this.decisions = decisions;
    this.owners = owners;
    this.raft = raft;
  }

  /** Tells the name of each group when it is open, and may tell it again. Must not block. */
  void onOpen(Consumer<String> listener) {
    opened = listener;
  }

  /** Those of all policies of this node. */
  Rules rules() {
    return rules;
  }

  @Override
  public List<Replicated> of(int founded, int first, List<Group> groups) {
    owners.map().begin(founded);
    List<Replicated> made = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      made.add(of(founded, first + i, groups.get(i)));
    }
    return made;
  }

  private Replicated of(int founded, int number, Group group) {
    Extent extent = new Extent(number, founded);
    Tenure tenure =
        new Tenure(name, extent, owners.add(number), new OwnGroups(group.name()), clock);
    group.onLeaderChange(tenure::tell);
    group.onLeaderChange(() -> opened.accept(group.name()));
    tenures.add(tenure);
    PolicyDesk known = desk;
    if (known != null) {
      tenure.decideAt(known);
    }
    int share = Math.max(founded, number + 1);
    return new ShardGroup(options(share), rules, tenure, group.name(), raft::join);
  }

  /*
   * Groups share the memory. One that came later gets as much as if there had been so many from the
   * beginning; the others keep what they have: on no node may one hold less than its owner (R11).
   */
  private ShardOptions options(int share) {
    return ShardOptions.of(/* folder= */ null, clock, storage.memoryBytes() / share)
        .by(decisions)
        .withIds(storage.dedupWindow(), storage.dedupBytes() / share);
  }

  /** The desk of the policies is there: nothing is decided anywhere else. */
  void decideAt(PolicyDesk made) {
    desk = made;
    tenures.forEach(tenure -> tenure.decideAt(made));
  }

  /** Says who owns, as far as this node knows. */
  void tell() {
    tenures.forEach(Tenure::tell);
  }

  /** What this node decides on: a shard for each group that it owns. */
  List<Shard> owned() {
    return tenures.stream().map(Tenure::owned).filter(Objects::nonNull).toList();
  }

  /** What one group of shards and that of the policies know. */
  private final class OwnGroups implements Tenure.Groups {
    private final String group;

    OwnGroups(String group) {
      this.group = group;
    }

    @Override
    public CompletionStage<?> catchUp() {
      return raft.join().group(Cluster.META).barrier();
    }

    @Override
    public @Nullable Standing standing() {
      return raft.isDone() && raft.join().groups().contains(group)
          ? Standing.of(raft.join().group(group))
          : null;
    }
  }
}
