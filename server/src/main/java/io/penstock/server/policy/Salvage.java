package io.penstock.server.policy;

import java.io.IOException;
import java.sql.SQLException;

/** Copies what is whole of a damaged database into a new one. Confined to one thread. */
final class Salvage {
  /**
   * What became of the changes. Immutable.
   *
   * @param lost how many are missing, as far as the numbers of those kept tell
   */
  record Saved(long kept, String lost) {}

  private Salvage() {}

  /** Takes nothing over: all of it comes again. */
  static Saved nothing(Database fresh) throws SQLException {
    fresh.rows().close();
    return new Saved(/* kept= */ 0, "everything, which the other nodes have");
  }

  static Saved copy(Database damaged, Database fresh) throws SQLException, IOException {
    try (DamagedPages pages = DamagedPages.open(damaged.file());
        Rows to = fresh.rows()) {
      to.begin();
      int last = pages.last();
      for (int number = 1; number <= last; number++) {
        for (Row row : LeafPage.rows(pages, number)) {
          to.insertAgain(row);
        }
      }
      to.markLatest();
      to.commit();
      long newest = to.revision();
      long kept = to.count();
      String lost = newest - kept + " of the first " + newest + ", and all after those";
      return new Saved(kept, kept == 0 ? "everything" : lost);
    }
  }
}
