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
  static final int ROWS = 128;
  static final int COLUMNS = 128;
  static final Edges NONE = none();

  private static final int ROW_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(ROWS);
  private static final int COLUMN_SHIFT = ROW_SHIFT - Integer.numberOfTrailingZeros(COLUMNS);

  private final Bucket[][] rows;

  Edges(Bucket[][] rows) {
    this.rows = rows;
  }

  private static Edges none() {
    Bucket[][] rows = new Bucket[ROWS][];
    Bucket[] row = new Bucket[COLUMNS];
    Arrays.fill(row, Bucket.NONE);
    Arrays.fill(rows, row);
    return new Edges(rows);
  }

  static int row(long hash) {
    return (int) (hash >>> ROW_SHIFT);
  }

  static int column(long hash) {
    return (int) (hash >>> COLUMN_SHIFT) & (COLUMNS - 1);
  }

  /** The bits of a hash that find an edge within its bucket. */
  static int tag(long hash) {
    return (int) hash;
  }

  /** The end of an edge; null if there is none. */
  @Nullable Object get(long hash, long place, String key, String value) {
    return rows[row(hash)][column(hash)].get(tag(hash), place, key, value);
  }

  EdgeEdit edit() {
    return new EdgeEdit(rows.clone());
  }
}
