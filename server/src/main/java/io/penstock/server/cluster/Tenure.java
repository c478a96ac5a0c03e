package io.penstock.server.cluster;

import io.penstock.cluster.ShardGroup;
import io.penstock.core.Clock;
import io.penstock.server.node.Extent;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.PolicyDesk;
import io.penstock.server.node.Signature;
import io.penstock.shard.Shard;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this node owns of one group, from when on it decides on that, and who is told. Thread-safe.
 *
 * <p>It decides once it knows the keys, and all policies that were there when its ownership began:
 * the owner before has decided by them, and whoever saw their version must not see an older one
 * (R18).
 */
final class Tenure implements ShardGroup.Owner {
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** What the groups of this node know. Implementations are thread-safe. */
  interface Groups {
    /** Completes when this node has carried out every change of policies committed before. */
    CompletionStage<?> catchUp();

    /** Where the group of these shards stands; null if it is not open yet. */
    @Nullable Standing standing();
  }

  private final String name;
  private final Extent extent;
  private final Ownership ownership;
  private final Groups groups;
  private final Clock clock;
  private final Object telling = new Object();
  private volatile @Nullable PolicyDesk desk;
  private volatile @Nullable Shard owned;
  private @Nullable Shard caughtUp;
  private @Nullable LocalNode local;
  private long ownedTerm;

  /**
   * Of a node that owns nothing yet.
   *
   * @param extent which shards it owns then
   * @param ownership who is told
   * @param clock by which it tries again
   */
  Tenure(String name, Extent extent, Ownership ownership, Groups groups, Clock clock) {
    this.name = name;
    this.extent = extent;
    this.ownership = ownership;
    this.groups = groups;
    this.clock = clock;
  }

  /** The shard that this node owns; null if it owns none. */
  @Nullable Shard owned() {
    return owned;
  }

  /** The desk of the policies is there: nothing is decided anywhere else. */
  void decideAt(PolicyDesk made) {
    synchronized (this) {
      desk = made;
      mayDecide();
    }
    tell();
  }

  @Override
  public Shard build(Supplier<Shard> building) {
    PolicyDesk made = desk;
    return made == null ? building.get() : made.build(building);
  }

  @Override
  public void owns(Shard shard, long term) {
    synchronized (this) {
      owned = shard;
      ownedTerm = term;
      mayDecide();
    }
    catchUp(shard);
  }

  private void catchUp(Shard shard) {
    var unused =
        groups
            .catchUp()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    hasCaughtUp(shard);
                  } else if (owned == shard) {
                    clock.after(AGAIN_NANOS).execute(() -> catchUp(shard));
                  }
                });
  }

  private void hasCaughtUp(Shard shard) {
    synchronized (this) {
      caughtUp = shard;
      mayDecide();
    }
    tell();
  }

  /*
   * A shard was built at no desk if that was before the secret was known. It comes there before
   * anything is decided on it: a change that finds no shard gives the numbers of rules again.
   */
  private void mayDecide() {
    PolicyDesk made = desk;
    Shard shard = owned;
    if (made == null || shard == null || local != null) {
      return;
    }
    made.build(() -> shard);
    if (caughtUp == shard) {
      Signature signature = Signature.ofOwner(name, Long.toString(ownedTerm));
      local = new LocalNode(signature, shard, made, extent);
    }
  }

  @Override
  public void isOver(Shard shard) {
    synchronized (this) {
      if (owned == shard) {
        owned = null;
        local = null;
        caughtUp = null;
      }
    }
    PolicyDesk made = desk;
    if (made == null) {
      shard.table().end();
    } else {
      made.leave(shard);
    }
    tell();
  }

  /** Says who owns, as far as this node knows: one at a time, or an old view could come last. */
  void tell() {
    synchronized (telling) {
      LocalNode here;
      long term;
      synchronized (this) {
        here = local;
        term = ownedTerm;
      }
      Standing standing = groups.standing();
      if (standing == null) {
        return;
      }
      Ownership.View view =
          here == null
              ? new Ownership.View(here, standing.leader(), Long.toString(standing.term()))
              : new Ownership.View(here, name, Long.toString(term));
      if (!view.equals(ownership.now())) {
        ownership.change(view);
      }
    }
  }
}
