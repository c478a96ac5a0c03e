package io.penstock.server.cluster;

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
    owners.begin(groups);
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
    return map.group(shard, groups.size());
  }

  /** It is known now how many groups there are. */
  void begin(List<Ownership> all) {
    groups = List.copyOf(all);
  }

  /** How many groups there are; 0 as long as nobody knows. */
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
