package io.penstock.server.node;

/**
 * Which shards a node decides on: those of one group of several that share them (R19). Immutable.
 *
 * @param group the number of the group
 * @param groups how many there are
 */
public record Extent(int group, int groups) {
  /** All shards: nobody else decides. */
  public static final Extent ALL = new Extent(0, 1);

  /** The group of a shard: each has a range of them. */
  public static int group(int shard, int groups) {
    return shard * groups / Signature.SHARDS;
  }

  private static int first(int group, int groups) {
    return (group * Signature.SHARDS + groups - 1) / groups;
  }

  /** Whether the key of a hash belongs here. */
  boolean has(long hash) {
    return groups == 1 || group(Signature.shard(hash), groups) == group;
  }

  /** A hash that belongs here, made of any other. */
  long with(long hash) {
    int first = first(group, groups);
    int size = first(group + 1, groups) - first;
    return Signature.withShard(hash, first + Signature.shard(hash) % size);
  }
}
