package io.penstock.server.cluster;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who decides on the shards of each group, as far as this node knows. Thread-safe. */
public final class Owners {
  private final ShardMap map;
  private volatile List<Ownership> groups = List.of();

  Owners(ShardMap map) {
    this.map = map;
  }

  /** Those of some groups, in their order, which share the shards as a map says. */
  public static Owners of(List<Ownership> groups, ShardMap map) {
    Owners owners = new Owners(map);
    owners.groups = List.copyOf(groups);
    map.begin(groups.size());
    return owners;
  }

  /** The same of groups among which nothing was ever moved. */
  public static Owners of(List<Ownership> groups) {
    return of(groups, new ShardMap());
  }

  ShardMap map() {
    return map;
  }

  /** The group that decides on a shard. */
  int group(int shard) {
    return map.group(shard);
  }

  /** Who decides on the shards of a group, which may have come into being just now (R19). */
  synchronized Ownership add(int group) {
    List<Ownership> all = new ArrayList<>(groups);
    while (all.size() <= group) {
      all.add(new Ownership());
    }
    groups = List.copyOf(all);
    return all.get(group);
  }

  /** How many groups there are by now; 0 as long as nobody knows. */
  int size() {
    return groups.size();
  }

  Ownership of(int group) {
    return groups.get(group);
  }

  /** The same; null if there is no such group, or not yet. */
  @Nullable Ownership find(int group) {
    List<Ownership> known = groups;
    return group >= 0 && group < known.size() ? known.get(group) : null;
  }
}
