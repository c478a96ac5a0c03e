package io.penstock.core.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes to edges that are shared: what is touched is copied once, all else stays. Confined to one
 * thread.
 */
final class EdgeEdit {
  private final Bucket[][] rows;
  private final boolean[] ownedRows = new boolean[Edges.ROWS];
  private final List<Bucket> owned = new ArrayList<>();

  /* Not this object, which the buckets would keep alive. */
  private Object owner = new Object();

  EdgeEdit(Bucket[][] rows) {
    this.rows = rows;
  }

  /** The edges as they are now; what is changed later is seen there. */
  Edges live() {
    return new Edges(rows);
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
    Bucket[] row = row(Edges.row(hash));
    int column = Edges.column(hash);
    Bucket shared = row[column];
    Bucket bucket = shared.ownedBy(owner);
    if (bucket != shared) {
      row[column] = bucket;
      owned.add(bucket);
    }
    return bucket;
  }

  private Bucket[] row(int index) {
    if (!ownedRows[index]) {
      rows[index] = rows[index].clone();
      ownedRows[index] = true;
    }
    return rows[index];
  }

  /** The edges as they are now, for ever; what comes later is copied again. */
  Edges done() {
    owned.forEach(Bucket::trim);
    owned.clear();
    owner = new Object();
    Arrays.fill(ownedRows, false);
    return new Edges(rows.clone());
  }
}
