package io.penstock.core.policy;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes to edges that are shared: what is touched is copied once, all else stays. Confined to one
 * thread.
 */
final class EdgeEdit {
  private final Set<Bucket> owned = new HashSet<>();
  private Edges edges;
  private boolean shared = true;

  /* Not this object, which the buckets would keep alive. */
  private Object owner = new Object();

  EdgeEdit(Edges edges) {
    this.edges = edges;
  }

  /** The edges as they are now, until the next change. */
  Edges live() {
    return edges;
  }

  /** Sets the end of an edge; null removes it. */
  void put(long head, String key, String value, @Nullable Object target) {
    if (shared) {
      edges = edges.copy();
      shared = false;
    }
    Bucket bucket = own(edges.index(head));
    if (target == null) {
      bucket.remove(head, key, value);
      replace(edges.index(head), bucket);
      join(edges.index(head), bucket);
      return;
    }
    while (bucket.isCrowded() && bucket.depth() < Hashes.DEPTH_MAX) {
      split(edges.index(head), bucket);
      bucket = edges.bucket(edges.index(head));
    }
    bucket.put(head, key, value, target);
    replace(edges.index(head), bucket);
  }

  private Bucket own(int index) {
    Bucket bucket = edges.bucket(index).ownedBy(owner);
    owned.add(bucket);
    return bucket;
  }

  private void split(int index, Bucket full) {
    int at = index;
    if (1 << full.depth() == edges.length()) {
      edges = edges.twice();
      at = 2 * index;
    }
    /* The bit of an index in which the halves differ. */
    int bit = edges.length() >>> (full.depth() + 1);
    replace(at & ~bit, full.half(/* one= */ false));
    replace(at | bit, full.half(/* one= */ true));
    owned.remove(full);
  }

  /** Makes one bucket of two that are nearly empty. */
  private void join(int index, Bucket bucket) {
    int bit = edges.length() >>> bucket.depth();
    if (bucket.depth() > 0 && bucket.fitsWith(edges.bucket(index ^ bit))) {
      Bucket other = edges.bucket(index ^ bit);
      owned.remove(bucket);
      owned.remove(other);
      replace(index, bucket.and(other));
    }
  }

  /** Puts a bucket wherever the first bits, as many as its depth, are those of an index. */
  private void replace(int index, Bucket bucket) {
    int width = edges.length() >>> bucket.depth();
    edges.set(index / width * width, width, bucket);
    owned.add(bucket);
  }

  /** The edges as they are now, for ever; what comes later is copied again. */
  Edges done() {
    owned.forEach(Bucket::trim);
    owned.clear();
    owner = new Object();
    shared = true;
    return edges;
  }
}
