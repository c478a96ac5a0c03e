package io.penstock.server.cluster;

import io.penstock.server.node.Extent;
import io.penstock.server.node.Signature;
import io.penstock.server.policy.Placement;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Which group decides on each shard, as far as this node has heard (R16, R23). Thread-safe. */
public final class ShardMap {
  private final AtomicReferenceArray<Placement> placements =
      new AtomicReferenceArray<>(Signature.SHARDS);
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile int founded;

  /** One where nothing was ever moved. */
  public ShardMap() {
    for (int shard = 0; shard < Signature.SHARDS; shard++) {
      placements.set(shard, Placement.first(shard));
    }
  }

  /** What was agreed on last. */
  public void put(Placement placement) {
    placements.set(placement.shard(), placement);
    listeners.forEach(Runnable::run);
  }

  /** Calls somebody after each change. Must not block. */
  void onChange(Runnable listener) {
    listeners.add(listener);
  }

  Placement get(int shard) {
    return placements.get(shard);
  }

  /** It is known how many groups the cluster was created with: shards begin in these (R19). */
  void begin(int groups) {
    founded = groups;
  }

  /** The group of a shard. */
  int group(int shard) {
    return group(placements.get(shard));
  }

  /** The same of a shard whose placement is known. */
  int group(Placement placement) {
    int group = placement.group();
    return group == Placement.NONE ? Extent.group(placement.shard(), founded) : group;
  }

  /** The groups that decide on anything. */
  IntStream groups() {
    return IntStream.range(0, Signature.SHARDS).map(this::group).distinct();
  }

  /** Of some groups the one that has fewest shards; {@link Placement#NONE} of none. */
  int smallest(int groups, IntPredicate among) {
    int[] sizes = new int[groups];
    for (int shard = 0; shard < Signature.SHARDS; shard++) {
      sizes[group(shard)]++;
    }
    return IntStream.range(0, groups)
        .filter(among)
        .boxed()
        .min(Comparator.comparingInt(group -> sizes[group]))
        .orElse(Placement.NONE);
  }
}
