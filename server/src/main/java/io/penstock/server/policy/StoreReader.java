package io.penstock.server.policy;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Asks the database, one question after another. Thread-safe. */
final class StoreReader {
  private static final System.Logger LOG = System.getLogger(StoreReader.class.getName());

  /** A question to the database. */
  interface Query<T extends @Nullable Object> {
    T ask(Rows rows) throws SQLException;
  }

  private final Database database;
  private @Nullable Rows open;

  StoreReader(Database database) {
    this.database = database;
  }

  synchronized <T extends @Nullable Object> T ask(Query<T> query) {
    try {
      if (open == null) {
        open = new Rows(database.connect());
      }
      return query.ask(open);
    } catch (SQLException e) {
      close();
      LOG.log(System.Logger.Level.ERROR, database.file() + ": cannot be read", e);
      throw new StoreUnavailableException("policies", e);
    }
  }

  /** Ends; whoever asks later opens it again. */
  synchronized void close() {
    if (open != null) {
      open.closeQuietly();
      open = null;
    }
  }
}
