package io.penstock.server.node;

/**
 * Which shards a group begins with: it is one of several that share them, or came into being later
 * and begins with none (R19). Immutable.
 *
 * @param group the number of the group
 * @param groups how many the cluster was created with
 */
public record Extent(int group, int groups) {
  /** All shards: nobody else decides. */
  public static final Extent ALL = new Extent(0, 1);

  /** The group of a shard: each has a range of them. */
  public static int group(int shard, int groups) {
    return shard * groups / Signature.SHARDS;
  }

  /** Whether a shard belongs here. */
  boolean has(int shard) {
    return group(shard, groups) == group;
  }
}
