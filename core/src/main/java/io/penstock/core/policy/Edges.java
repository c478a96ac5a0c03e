package io.penstock.core.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The edges of the tree of scopes: from a place, by a key and a value, to a target. Immutable;
 * lookups lock and allocate nothing.
 *
 * <p>Extendible hashing: the first bits of a head say which small flat table holds an edge, and a
 * change copies that one; a table that is full is split in two. (One flat table with a small one of
 * changes beside it would take a second lookup in each of its steps, and would have to be merged.)
 */
final class Edges {
  private static final VarHandle ENDS = MethodHandles.arrayElementVarHandle(Object[].class);

  private final Bucket[] buckets;
  private final int shift;

  /* What a lookup needs of the buckets: to ask them would be one more wait for memory. */
  private final byte[][] cells;
  private final Object[][] targets;

  /** The buckets by the first bits of the head; one may be there several times. */
  private Edges(Bucket[] buckets, byte[][] cells, Object[][] targets) {
    this.buckets = buckets;
    this.shift = Long.SIZE - Integer.numberOfTrailingZeros(buckets.length);
    this.cells = cells;
    this.targets = targets;
  }

  /** No edges. */
  static Edges none() {
    Bucket bucket = new Bucket(new Object(), /* depth= */ 0);
    /* Two: no number can be shifted by all of its bits. */
    Edges edges = new Edges(new Bucket[2], new byte[2][], new Object[2][]);
    edges.set(0, 2, bucket);
    return edges;
  }

  Edges copy() {
    return new Edges(buckets.clone(), cells.clone(), targets.clone());
  }

  /** The same, with each bucket twice as often. */
  Edges twice() {
    int length = 2 * buckets.length;
    Edges wider = new Edges(new Bucket[length], new byte[length][], new Object[length][]);
    for (int i = 0; i < buckets.length; i++) {
      wider.set(2 * i, 2, buckets[i]);
    }
    return wider;
  }

  int length() {
    return buckets.length;
  }

  int index(long head) {
    return (int) (head >>> shift);
  }

  Bucket bucket(int index) {
    return buckets[index];
  }

  /** Only for the owner of a copy. */
  void set(int from, int count, Bucket bucket) {
    Arrays.fill(buckets, from, from + count, bucket);
    Arrays.fill(cells, from, from + count, bucket.cells());
    Arrays.fill(targets, from, from + count, bucket.targets());
  }

  /** The end of an edge; null if there is none. */
  @Nullable Object get(long head, String key, String value) {
    int index = index(head);
    Object[] ends = targets[index];
    int home = Bucket.home(head);
    /* Mostly it is there. Opaque, so that both ways to memory are gone at the same time. */
    Object first = ENDS.getOpaque(ends, home);
    int at = Bucket.find(cells[index], buckets[index], head, key, value);
    Object target = at == home ? first : ends[at];
    return target == Bucket.NOTHING ? null : target;
  }
}
