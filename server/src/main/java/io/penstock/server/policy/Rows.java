package io.penstock.server.policy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The changes in the database, as far as one connection sees them. Confined to one thread at a
 * time. A row that is not as it was written counts as not there.
 */
final class Rows implements AutoCloseable {
  private static final String SELECT = "SELECT " + Row.COLUMNS + " FROM change ";

  private static final System.Logger LOG = System.getLogger(Rows.class.getName());

  private static final String UNMARK =
      "UPDATE change SET latest = 0 WHERE latest = 1 AND kind = ? AND name = ?";
  private static final String INSERT =
      "INSERT INTO change (" + Row.COLUMNS + ", latest) VALUES (" + Row.PLACES + ", 1)";
  private static final String INSERT_AGAIN =
      "INSERT OR IGNORE INTO change (" + Row.COLUMNS + ", latest) VALUES (" + Row.PLACES + ", 0)";

  private final Connection connection;

  /** Every query of this class that was asked, so that it is compiled once. */
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Rows(Connection connection) {
    this.connection = connection;
  }

  /** The latest change of a document, a delete too; null if it never existed. */
  @Nullable Row latest(Kind kind, String name) throws SQLException {
    List<Row> rows =
        list(SELECT + "WHERE latest = 1 AND kind = ? AND name = ?", Words.of(kind), name);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** The latest change of a document that exists, or null. */
  @Nullable Row live(Kind kind, String name) throws SQLException {
    Row row = latest(kind, name);
    return row != null && row.isLive() ? row : null;
  }

  /** Reads documents that exist, by name, those behind {@code after}. */
  void forEachNamed(Kind kind, String after, Predicate<Row> more) throws SQLException {
    String query =
        SELECT
            + "WHERE latest = 1 AND kind = ? AND name > ? AND document IS NOT NULL"
            + " ORDER BY name";
    forEach(query, more, Words.of(kind), after);
  }

  /** Reads changes of a document, newest first, those before a version. */
  void forEachBefore(Kind kind, String name, long version, Predicate<Row> more)
      throws SQLException {
    String query = SELECT + "WHERE kind = ? AND name = ? AND version < ? ORDER BY version DESC";
    forEach(query, more, Words.of(kind), name, version);
  }

  /** Reads the changes of all documents after a revision, in order. */
  void forEachSince(long revision, Consumer<Change> reader) throws SQLException {
    forEach(SELECT + "WHERE revision > ? ORDER BY revision", telling(reader), revision);
  }

  private static Predicate<Row> telling(Consumer<Change> reader) {
    return row -> {
      reader.accept(row.change());
      return true;
    };
  }

  /** Reads documents that exist, in the order of their changes; says how many were damaged. */
  long forEachLive(Kind kind, Predicate<Row> more) throws SQLException {
    return forEach(
        SELECT + "NOT INDEXED WHERE latest = 1 AND kind = ? AND document IS NOT NULL",
        more,
        Words.of(kind));
  }

  /** Reads policies that were replaced or deleted, the newest first, so many at most. */
  long forEachPast(int most, Consumer<Change> reader) throws SQLException {
    return forEach(
        SELECT + "NOT INDEXED WHERE latest = 0 AND kind = ? ORDER BY revision DESC LIMIT ?",
        telling(reader),
        Words.of(Kind.POLICY),
        most);
  }

  /** Reads all changes of documents of a kind, in order; says how many were damaged. */
  long forEachChange(Kind kind, Predicate<Row> more) throws SQLException {
    return forEach(
        SELECT + "INDEXED BY history WHERE kind = ? ORDER BY revision", more, Words.of(kind));
  }

  /** Reads the policies that refer to a tier; not the bare ones if they do not matter. */
  void forEachOfTier(String tier, boolean alsoBare, Predicate<Row> more) throws SQLException {
    String which = alsoBare ? "" : " AND bare = 0";
    forEach(SELECT + "WHERE latest = 1 AND tier = ?" + which, more, tier);
  }

  /** The documents that came from a file and exist. */
  List<Row> ofFile() throws SQLException {
    return list(SELECT + "WHERE latest = 1 AND source = 'file' AND document IS NOT NULL");
  }

  /** The number of the last change; 0 if there is none. */
  long revision() throws SQLException {
    return number("SELECT max(revision) FROM change");
  }

  /** The last version of a document, damaged ones too; 0 if it never existed. */
  long version(Kind kind, String name) throws SQLException {
    return number(
        "SELECT max(version) FROM change WHERE kind = ? AND name = ?", Words.of(kind), name);
  }

  /** Adds a change, which becomes the latest of its document. */
  void insert(Row row) throws SQLException {
    prepare(UNMARK, Words.of(row.change().kind()), row.change().name()).executeUpdate();
    PreparedStatement insert = prepare(INSERT);
    row.write(insert);
    insert.executeUpdate();
  }

  /** Adds a change of a damaged database, unless it is here already. */
  void insertAgain(Row row) throws SQLException {
    PreparedStatement insert = prepare(INSERT_AGAIN);
    row.write(insert);
    insert.executeUpdate();
  }

  /** Marks the latest change of every document, after all were added again. */
  void markLatest() throws SQLException {
    run(
        "UPDATE change SET latest = 1 WHERE revision IN (SELECT revision FROM"
            + " (SELECT revision, max(version) FROM change GROUP BY kind, name))");
  }

  /** The last entry of the log that is carried out; 0 if none is. */
  long applied() throws SQLException {
    return number("SELECT max(entry) FROM applied");
  }

  void applied(long entry) throws SQLException {
    prepare("INSERT OR REPLACE INTO applied VALUES (1, ?)", entry).executeUpdate();
  }

  /** The secret that is agreed on; null if none is. */
  byte @Nullable [] secret() throws SQLException {
    try (ResultSet result = prepare("SELECT secret, sum FROM setting").executeQuery()) {
      if (!result.next()) {
        return null;
      }
      byte[] secret = result.getBytes(1);
      if (sum(secret) != result.getLong(2)) {
        throw new SQLiteException(
            "secret: damaged (expected: as it was written)", SQLiteErrorCode.SQLITE_CORRUPT);
      }
      return secret;
    }
  }

  void secretIfAbsent(byte[] secret) throws SQLException {
    prepare("INSERT OR IGNORE INTO setting VALUES (1, ?, ?)", secret, sum(secret)).executeUpdate();
  }

  /** Where shards are that were ever to be moved. */
  Placements placements() {
    return new Placements(connection);
  }

  /** The groups that came into being after the cluster. */
  LateGroupRows lateGroups() {
    return new LateGroupRows(connection);
  }

  private static long sum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return sum.getValue();
  }

  /** How many changes are not as they were written, of all that ever were. */
  long damaged() throws SQLException {
    return forEach(SELECT, row -> true);
  }

  /** Takes over everything from another database of the same format, at once. */
  void replaceBy(Path copy) throws SQLException {
    try (PreparedStatement attach = connection.prepareStatement("ATTACH ? AS copy")) {
      attach.setString(1, copy.toAbsolutePath().toString());
      attach.execute();
    }
    begin();
    for (String table : Database.TABLES) {
      run("DELETE FROM main." + table);
      run("INSERT INTO main." + table + " SELECT * FROM copy." + table);
    }
    lateGroups().replaceBy("copy");
    commit();
    run("DETACH copy");
  }

  long count() throws SQLException {
    return number("SELECT count(*) FROM change");
  }

  private List<Row> list(String query, Object... values) throws SQLException {
    List<Row> rows = new ArrayList<>();
    forEach(query, rows::add, values);
    return rows;
  }

  private long forEach(String query, Predicate<Row> more, Object... values) throws SQLException {
    long damaged = 0;
    try (ResultSet result = prepare(query, values).executeQuery()) {
      boolean goOn = true;
      while (goOn && result.next()) {
        Row row = Row.read(result);
        damaged += row == null ? 1 : 0;
        goOn = row == null || more.test(row);
      }
    } catch (SQLException e) {
      /* A statement that has failed is of no further use. */
      prepared.clear();
      throw e;
    }
    return damaged;
  }

  private long number(String query, Object... values) throws SQLException {
    try (ResultSet result = prepare(query, values).executeQuery()) {
      return result.getLong(1);
    }
  }

  private PreparedStatement prepare(String query, Object... values) throws SQLException {
    PreparedStatement statement = prepared.get(query);
    if (statement == null) {
      statement = connection.prepareStatement(query);
      prepared.put(query, statement);
    }
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** Writes a page as it is, and waits for the disk. */
  void touch() throws SQLException {
    run("PRAGMA user_version = " + number("PRAGMA user_version"));
  }

  void begin() throws SQLException {
    run("BEGIN IMMEDIATE");
  }

  void commit() throws SQLException {
    run("COMMIT");
  }

  void rollback() throws SQLException {
    run("ROLLBACK");
  }

  private void run(String command) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** Closes a connection that has failed, or is no longer needed. */
  void closeQuietly() {
    try {
      close();
    } catch (SQLException e) {
      LOG.log(System.Logger.Level.DEBUG, "A connection could not be closed", e);
    }
  }
}
