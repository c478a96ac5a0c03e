package io.penstock.server.policy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/** The SQLite file of the documents: how it is opened, and its tables. Thread-safe. */
final class Database {
  /** Goes up when the tables change; written into the file. */
  static final int FORMAT = 1;

  private static final int BUSY_MILLIS_MAX = 5_000;

  /*
   * Every change is a row that is never changed again, but for the mark on the latest of its
   * document. A deleted document has a latest row too, without a document: so versions go on.
   */
  private static final String[] TABLES = {
    "CREATE TABLE change (revision INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,"
        + " version INTEGER NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, document TEXT,"
        + " counters TEXT NOT NULL, source TEXT NOT NULL, tier TEXT, bare INTEGER NOT NULL,"
        + " sum INTEGER NOT NULL, latest INTEGER NOT NULL)",
    "CREATE UNIQUE INDEX history ON change (kind, name, version)",
    "CREATE UNIQUE INDEX latest ON change (kind, name) WHERE latest = 1",
    "CREATE INDEX of_tier ON change (tier, bare) WHERE latest = 1 AND tier IS NOT NULL",
    "CREATE INDEX of_file ON change (revision) WHERE latest = 1 AND source = 'file'",
    "PRAGMA user_version = " + FORMAT
  };

  private final Path file;

  Database(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** A connection for one thread at a time; what it commits is on disk. */
  Connection connect() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS_MAX);
    return config.createConnection("jdbc:sqlite:" + file.toAbsolutePath());
  }

  /** The rows, for one thread at a time, in a file whose tables are made if there are none. */
  Rows rows() throws SQLException {
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      prepare(statement);
      return new Rows(connection);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void prepare(Statement statement) throws SQLException {
    int format = number(statement, "PRAGMA user_version");
    if (format > FORMAT) {
      throw new IllegalStateException(
          file
              + ": format "
              + format
              + " (expected: at most "
              + FORMAT
              + "; a newer version wrote it)");
    }
    if (format == 0) {
      statement.execute("BEGIN IMMEDIATE");
      for (String table : TABLES) {
        statement.execute(table);
      }
      statement.execute("COMMIT");
    }
  }

  private static int number(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      return result.getInt(1);
    }
  }
}
