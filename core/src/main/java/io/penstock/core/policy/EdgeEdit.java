package io.penstock.core.policy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes to edges that are shared: what is touched is copied once, all else stays. Confined to one
 * thread.
 */
final class EdgeEdit {
  private final Bucket[] buckets;
  private final List<Bucket> owned = new ArrayList<>();

  /* Not this object, which the buckets would keep alive. */
  private Object owner = new Object();

  EdgeEdit(Bucket[] buckets) {
    this.buckets = buckets;
  }

  /** The edges as they are now; what is changed later is seen there. */
  Edges live() {
    return new Edges(buckets);
  }

  /** Sets the end of an edge; null removes it. */
  void put(long hash, long place, String key, String value, @Nullable Object target) {
    Bucket bucket = bucket(hash);
    if (target == null) {
      bucket.remove(Edges.tag(hash), place, key, value);
    } else {
      bucket.put(Edges.tag(hash), place, key, value, target);
    }
  }

  private Bucket bucket(long hash) {
    int index = Edges.bucket(hash);
    Bucket bucket = buckets[index].ownedBy(owner);
    if (bucket != buckets[index]) {
      buckets[index] = bucket;
      owned.add(bucket);
    }
    return bucket;
  }

  /** The edges as they are now, for ever; what comes later is copied again. */
  Edges done() {
    owned.forEach(Bucket::trim);
    owned.clear();
    owner = new Object();
    return new Edges(buckets.clone());
  }
}
