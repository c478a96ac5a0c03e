package io.penstock.server.policy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Where shards are, in the database, as far as one connection sees it. Confined as that is. */
final class Placements {
  private static final String ALL =
      "SELECT shard, in_group, generation, last, next FROM placement ORDER BY shard";

  private final Connection connection;

  Placements(Connection connection) {
    this.connection = connection;
  }

  /** Of all shards that were ever to be moved. */
  List<Placement> all() throws SQLException {
    List<Placement> placements = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(ALL);
        ResultSet result = select.executeQuery()) {
      while (result.next()) {
        placements.add(
            new Placement(
                result.getInt(1),
                result.getInt(2),
                result.getLong(3),
                result.getLong(4),
                result.getInt(5)));
      }
    }
    return placements;
  }

  /** Of one shard. */
  Placement of(int shard) throws SQLException {
    return all().stream()
        .filter(each -> each.shard() == shard)
        .findFirst()
        .orElse(Placement.first(shard));
  }

  void put(Placement placement) throws SQLException {
    String replace = "INSERT OR REPLACE INTO placement VALUES (?, ?, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(replace)) {
      insert.setInt(1, placement.shard());
      insert.setInt(2, placement.group());
      insert.setLong(3, placement.generation());
      insert.setLong(4, placement.last());
      insert.setInt(5, placement.next());
      insert.executeUpdate();
    }
  }
}
