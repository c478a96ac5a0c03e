package io.penstock.core.policy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The edges of the tree of scopes: from a place, by a key and a value, to a target. Immutable;
 * lookups lock and allocate nothing.
 *
 * <p>Many small flat tables, of which a change copies one. (One flat base with a small table of
 * changes beside it costs a second lookup in each of its steps, and has to be merged.)
 */
final class Edges {
  private static final int BUCKETS = 1 << 12;
  private static final int BUCKET_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(BUCKETS);

  private final Bucket[] buckets;

  Edges(Bucket[] buckets) {
    this.buckets = buckets;
  }

  static Edges none() {
    Bucket[] buckets = new Bucket[BUCKETS];
    Arrays.fill(buckets, Bucket.NONE);
    return new Edges(buckets);
  }

  static int bucket(long hash) {
    return (int) (hash >>> BUCKET_SHIFT);
  }

  /** The bits of a hash that find an edge within its bucket. */
  static int tag(long hash) {
    return (int) hash;
  }

  /** The end of an edge; null if there is none. */
  @Nullable Object get(long hash, long place, String key, String value) {
    return buckets[bucket(hash)].get(tag(hash), place, key, value);
  }

  EdgeEdit edit() {
    return new EdgeEdit(buckets.clone());
  }
}
