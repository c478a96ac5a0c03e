package io.penstock.server.node;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What answers say of who decided: the node, and in a cluster the shard of the key and the epoch.
 * Immutable.
 */
public final class Signature {
  /** A shard is a range of the hash: its top bits. */
  private static final int SHARD_BITS = 8;

  /** How many shards there are. */
  public static final int SHARDS = 1 << SHARD_BITS;

  private final String name;
  private final @Nullable String epoch;

  private Signature(String name, @Nullable String epoch) {
    this.name = name;
    this.epoch = epoch;
  }

  /** Of a node without others. */
  static Signature alone(String name) {
    return new Signature(name, /* epoch= */ null);
  }

  /** Of a node that owns shards during an epoch. */
  public static Signature ofOwner(String name, String epoch) {
    return new Signature(name, epoch);
  }

  /** Which shard a key belongs to. */
  public static int shard(long hash) {
    return (int) (hash >>> (Long.SIZE - SHARD_BITS));
  }

  /** The same hash with another shard. */
  static long withShard(long hash, int shard) {
    return hash << SHARD_BITS >>> SHARD_BITS | (long) shard << (Long.SIZE - SHARD_BITS);
  }

  String of(long hash) {
    return epoch == null ? name : name + " shard " + shard(hash) + " epoch " + epoch;
  }

  /** The same, of a hash that is made only if it is told. */
  String of(LongSupplier hash) {
    return epoch == null ? name : of(hash.getAsLong());
  }
}
