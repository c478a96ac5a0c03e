package io.penstock.server.policy;

import io.penstock.shard.FileIdentity;
import io.penstock.shard.OwnerOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** The SQLite file of the documents: how it is opened, and its tables. Thread-safe. */
final class Database {
  /** Goes up when the tables change; written into the file. */
  static final int FORMAT = 3;

  /** Of the store of a cluster that has grown; nothing else is written in it. */
  static final int GROWN = 4;

  static final List<String> TABLES = List.of("change", "applied", "setting", "placement");

  private static final int BUSY_MILLIS_MAX = 5_000;

  /*
   * Every change is a row that is never changed again, but for the mark on the latest of its
   * document. A deleted document has a latest row too, without a document: so versions go on.
   */
  private static final String[] CHANGES = {
    "CREATE TABLE change (revision INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,"
        + " version INTEGER NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, document TEXT,"
        + " counters TEXT NOT NULL, source TEXT NOT NULL, tier TEXT, bare INTEGER NOT NULL,"
        + " sum INTEGER NOT NULL, latest INTEGER NOT NULL)",
    "CREATE UNIQUE INDEX history ON change (kind, name, version)",
    "CREATE UNIQUE INDEX latest ON change (kind, name) WHERE latest = 1",
    "CREATE INDEX of_tier ON change (tier, bare) WHERE latest = 1 AND tier IS NOT NULL",
    "CREATE INDEX of_file ON change (revision) WHERE latest = 1 AND source = 'file'"
  };

  /*
   * Of a cluster: up to which entry of the log all is carried out, and what is agreed on once. One
   * row each; none on a single server.
   */
  private static final String[] CLUSTER = {
    "CREATE TABLE applied (one INTEGER PRIMARY KEY CHECK (one = 1), entry INTEGER NOT NULL)",
    "CREATE TABLE setting (one INTEGER PRIMARY KEY CHECK (one = 1), secret BLOB NOT NULL,"
        + " sum INTEGER NOT NULL)"
  };

  /* Of a cluster: where shards are that were ever to be moved. */
  private static final String[] PLACEMENTS = {
    "CREATE TABLE placement (shard INTEGER PRIMARY KEY, in_group INTEGER NOT NULL,"
        + " generation INTEGER NOT NULL, last INTEGER NOT NULL, next INTEGER NOT NULL)"
  };

  /** What makes of each format the next one; of no file the first. */
  private static final String[][] STEPS = {CHANGES, CLUSTER, PLACEMENTS};

  private final Path file;
  private volatile @Nullable FileIdentity opened;

  Database(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** From now on it is the file that is there now, and no other that takes its place. */
  void settle() throws SQLException {
    try {
      opened = FileIdentity.of(file);
    } catch (IOException e) {
      throw new SQLException("looking for " + file, e);
    }
  }

  /** Throws if the file is not at its path any more: what is written to it is not found again. */
  void checkPlace() throws SQLException {
    FileIdentity known = opened;
    if (known != null && !known.isInPlace()) {
      throw new SQLiteException(
          file + ": not the file that was opened; put it back, or restart",
          SQLiteErrorCode.SQLITE_READONLY_DBMOVED);
    }
  }

  /** A connection for one thread at a time; what it commits is on disk. */
  Connection connect() throws SQLException {
    checkPlace();
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS_MAX);
    return config.createConnection("jdbc:sqlite:" + file.toAbsolutePath());
  }

  /** The rows, for one thread at a time, in a file whose tables are made if there are none. */
  Rows rows() throws SQLException {
    checkPlace();
    create(file);
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      prepare(statement);
      return new Rows(connection);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** In a cluster the secret is in it; what SQLite puts beside it gets the same permissions. */
  private static void create(Path file) throws SQLException {
    try {
      OwnerOnly.createFile(file);
    } catch (IOException e) {
      throw new SQLException("creating " + file, e);
    }
  }

  /**
   * What is wrong with the file; null if it is whole.
   *
   * @param everyRow whether also the checksum of every row is compared, which takes longer
   */
  @Nullable String damage(boolean everyRow) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      String pages = pageDamage(statement);
      return pages == null && everyRow ? rowDamage(connection, statement) : pages;
    } catch (SQLException e) {
      if (isDamage(e)) {
        return e.getMessage();
      }
      throw e;
    }
  }

  private static @Nullable String pageDamage(Statement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
      String first = result.getString(1);
      return "ok".equals(first) ? null : first;
    }
  }

  private @Nullable String rowDamage(Connection connection, Statement statement)
      throws SQLException {
    prepare(statement);
    Rows rows = new Rows(connection);
    var unused = rows.secret();
    long damaged = rows.damaged();
    return damaged == 0 ? null : damaged + " changes whose checksum does not match";
  }

  private static boolean isDamage(SQLException error) {
    SQLiteErrorCode code =
        error instanceof SQLiteException known
            ? known.getResultCode()
            : SQLiteErrorCode.UNKNOWN_ERROR;
    return code == SQLiteErrorCode.SQLITE_CORRUPT
        || code == SQLiteErrorCode.SQLITE_NOTADB
        || code == SQLiteErrorCode.SQLITE_IOERR_SHORT_READ
        || code.name().startsWith("SQLITE_CORRUPT_");
  }

  private void prepare(Statement statement) throws SQLException {
    int format = number(statement, "PRAGMA user_version");
    if (format > GROWN) {
      throw new IllegalStateException(
          file
              + ": format "
              + format
              + " (expected: at most "
              + GROWN
              + "; a newer version wrote it)");
    }
    if (format < FORMAT) {
      statement.execute("BEGIN IMMEDIATE");
      for (int step = format; step < FORMAT; step++) {
        for (String command : STEPS[step]) {
          statement.execute(command);
        }
      }
      statement.execute("PRAGMA user_version = " + FORMAT);
      statement.execute("COMMIT");
    }
  }

  private static int number(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      return result.getInt(1);
    }
  }
}
