package io.penstock.server.policy;

import io.penstock.server.SyncedFile;
import io.penstock.shard.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * A copy of the whole database, made by another node or by this one before. Confined to one thread.
 *
 * <p>It is looked at in a copy of its own: opening a database may write to it, and whoever gave the
 * file may compare it with a checksum.
 *
 * @param file the copy of the copy
 * @param applied the last entry of the log that it holds
 */
record StoreCopy(Path file, long applied) implements AutoCloseable {
  private static final String[] PARTS = {"", "-wal", "-shm"};

  /** Writes a copy that is whole, on disk and checked; says the last entry that it holds. */
  static long save(Database database, Path file) throws SQLException, IOException {
    Path draft = beside(file, ".draft");
    delete(draft);
    OwnerOnly.createFile(draft);
    try (Connection connection = database.connect();
        PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
      copy.setString(1, draft.toAbsolutePath().toString());
      copy.execute();
    }
    try {
      long applied = applied(draft);
      SyncedFile.publish(draft, file);
      return applied;
    } finally {
      delete(draft);
    }
  }

  /** Opens a copy beside the database that it is for. */
  static StoreCopy open(Path file, Database database) throws SQLException, IOException {
    Path own = beside(database.file(), ".incoming");
    delete(own);
    OwnerOnly.createFile(own);
    try (OutputStream out = Files.newOutputStream(own)) {
      Files.copy(file, out);
    }
    return new StoreCopy(own, applied(own));
  }

  /** The last entry that a copy holds, which is brought to the format of now. */
  private static long applied(Path file) throws SQLException, IOException {
    Database copy = new Database(file);
    String damage = Files.size(file) == 0 ? "empty" : copy.damage(/* everyRow= */ true);
    if (damage != null) {
      throw new IllegalStateException(file + ": damaged (" + damage + ") (expected: a whole copy)");
    }
    try (Rows rows = copy.rows()) {
      return rows.applied();
    }
  }

  @Override
  public void close() throws IOException {
    delete(file);
  }

  private static void delete(Path file) throws IOException {
    for (String part : PARTS) {
      Files.deleteIfExists(beside(file, part));
    }
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }
}
