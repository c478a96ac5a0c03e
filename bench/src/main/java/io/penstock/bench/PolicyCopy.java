package io.penstock.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Copies the policies of a single server into the stores of nodes that have none and do not run: a
 * million written through the cluster, one after the other, would take hours.
 *
 * <p>Arguments: the store of the single server, and those of the nodes.
 */
final class PolicyCopy {
  private PolicyCopy() {}

  public static void main(String[] stores) throws SQLException {
    for (int node = 1; node < stores.length; node++) {
      try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + stores[node]);
          PreparedStatement attach = connection.prepareStatement("ATTACH ? AS single");
          Statement copy = connection.createStatement()) {
        attach.setString(1, stores[0]);
        attach.execute();
        copy.execute("INSERT INTO main.change SELECT * FROM single.change");
      }
    }
  }
}
