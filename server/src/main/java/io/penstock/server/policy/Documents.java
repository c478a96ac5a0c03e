package io.penstock.server.policy;

import org.jspecify.annotations.Nullable;

/** What the store tells of documents and their changes, page by page. Thread-safe. */
final class Documents {
  private static final int DOCUMENTS_MAX = 1_000;
  private static final int CHANGES_MAX = 10_000;

  private final StoreReader reader;

  Documents(StoreReader reader) {
    this.reader = reader;
  }

  @Nullable Stored get(Kind kind, String name) {
    Row row = reader.<@Nullable Row>ask(rows -> rows.live(kind, name));
    return row == null ? null : stored(row);
  }

  Page<Stored> list(Kind kind, @Nullable String after, int limit, int bytesMax) {
    Page.Filling page = new Page.Filling(Math.min(limit, DOCUMENTS_MAX), bytesMax);
    return reader.ask(
        rows -> {
          rows.forEachNamed(kind, after == null ? "" : after, page);
          return page.page(Documents::stored);
        });
  }

  Page<Change> history(Kind kind, String name, long before, int limit) {
    Page.Filling page = new Page.Filling(Math.min(limit, CHANGES_MAX), Page.BYTES_MAX);
    return reader.ask(
        rows -> {
          rows.forEachBefore(kind, name, before, page);
          return page.page(Row::change);
        });
  }

  private static Stored stored(Row row) {
    Change change = row.change();
    String document = change.document() == null ? "" : change.document();
    return new Stored(change.kind(), change.name(), change.version(), document);
  }
}
