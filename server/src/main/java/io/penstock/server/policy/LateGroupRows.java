package io.penstock.server.policy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The groups that came into being later, in the database, as far as one connection sees it.
 * Confined as that is.
 *
 * <p>Their table is made with the first of them: until then versions before can read the file, and
 * from then on they must not (R19).
 */
final class LateGroupRows {
  private static final String TABLE = "late_group";

  private final Connection connection;

  LateGroupRows(Connection connection) {
    this.connection = connection;
  }

  /** All of them, in order. */
  List<LateGroup> all() throws SQLException {
    List<LateGroup> groups = new ArrayList<>();
    if (!isThere("main")) {
      return groups;
    }
    String all = "SELECT number, founders, filled FROM " + TABLE + " ORDER BY number";
    try (PreparedStatement select = connection.prepareStatement(all);
        ResultSet result = select.executeQuery()) {
      while (result.next()) {
        groups.add(new LateGroup(result.getInt(1), result.getString(2), result.getBoolean(3)));
      }
    }
    return groups;
  }

  private boolean isThere(String database) throws SQLException {
    String query = "SELECT count(*) FROM " + database + ".sqlite_schema WHERE name = '%s'";
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query.formatted(TABLE))) {
      return result.getInt(1) > 0;
    }
  }

  void put(LateGroup group) throws SQLException {
    make();
    String replace = "INSERT OR REPLACE INTO " + TABLE + " VALUES (?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(replace)) {
      insert.setInt(1, group.number());
      insert.setString(2, group.founders());
      insert.setBoolean(3, group.filled());
      insert.executeUpdate();
    }
  }

  private void make() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS %s (number INTEGER PRIMARY KEY, founders TEXT NOT NULL,"
                  .formatted(TABLE)
              + " filled INTEGER NOT NULL)");
      statement.execute("PRAGMA user_version = " + Database.GROWN);
    }
  }

  /** Takes over those of a copy that is attached; groups never go. */
  void replaceBy(String copy) throws SQLException {
    if (isThere(copy)) {
      make();
      try (Statement statement = connection.createStatement()) {
        statement.execute("DELETE FROM main." + TABLE);
        statement.execute("INSERT INTO main.%1$s SELECT * FROM %2$s.%1$s".formatted(TABLE, copy));
      }
    }
  }
}
