package io.penstock.server.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Some of the documents or changes that there are, in their order. Immutable.
 *
 * @param items as many as were asked for, or fewer if these have too many bytes for one answer
 * @param hasMore whether there are others behind them
 */
public record Page<T>(List<T> items, boolean hasMore) {
  /**
   * How many bytes of documents are told at once, so that an answer fits into the heap beside
   * others. A document that is longer by itself is told all the same: nobody could go on behind it.
   */
  public static final int BYTES_MAX = 8 << 20;

  public Page {
    items = List.copyOf(items);
  }

  /** Behind which the next page begins. */
  public T last() {
    return items.get(items.size() - 1);
  }

  /** Takes rows until a page is full. Confined to the thread that reads. */
  static final class Filling implements Predicate<Row> {
    private final List<Row> rows = new ArrayList<>();
    private final int rowsMax;
    private long bytesLeft;
    private boolean hasMore;

    Filling(int rowsMax, int bytesMax) {
      this.rowsMax = rowsMax;
      this.bytesLeft = bytesMax;
    }

    /** Takes a row if it fits; one that does not is the first of the next page. */
    @Override
    public boolean test(Row row) {
      bytesLeft -= row.bytes();
      hasMore = !rows.isEmpty() && (rows.size() >= rowsMax || bytesLeft < 0);
      return !hasMore && rows.add(row);
    }

    <T> Page<T> page(Function<Row, T> item) {
      return new Page<>(rows.stream().map(item).toList(), hasMore);
    }
  }
}
