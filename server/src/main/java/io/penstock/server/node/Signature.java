package io.penstock.server.node;

import java.util.function.IntToLongFunction;
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

  private static final int TERM_BITS = 32;

  private final String name;
  private final @Nullable String epoch;
  private final IntToLongFunction generations;

  private Signature(String name, @Nullable String epoch, IntToLongFunction generations) {
    this.name = name;
    this.epoch = epoch;
    this.generations = generations;
  }

  /** Of a node without others. */
  static Signature alone(String name) {
    return new Signature(name, /* epoch= */ null, shard -> 0);
  }

  /** Of a node that owns shards during an epoch. */
  public static Signature ofOwner(String name, String epoch) {
    return new Signature(name, epoch, shard -> 0);
  }

  /** The same of shards that moves have brought to their owner. */
  Signature in(IntToLongFunction generation) {
    return new Signature(name, epoch, generation);
  }

  /**
   * The epoch of a shard: it grows with each move of the shard, and with each owner of the group
   * that it is in (R3).
   */
  public static long epoch(long generation, long term) {
    return (generation << TERM_BITS) + term;
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
    if (epoch == null) {
      return name;
    }
    long generation = generations.applyAsLong(shard(hash));
    String told = generation == 0 ? epoch : "" + epoch(generation, Long.parseLong(epoch));
    return name + " shard " + shard(hash) + " epoch " + told;
  }

  /** The same, of a hash that is made only if it is told. */
  String of(LongSupplier hash) {
    return epoch == null ? name : of(hash.getAsLong());
  }
}
