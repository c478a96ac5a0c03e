package io.penstock.server.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out at the start whether the database is whole; if not, copies what is into a new one and
 * moves the old one aside. Confined to the thread that starts.
 *
 * <p>A crash at any point of this leaves a state from which the next start goes on: the copy gets
 * its second name only when it is complete, and the old files go before it gets its third.
 */
final class Repair {
  private static final System.Logger LOG = System.getLogger(Repair.class.getName());
  /* The log goes before its database: left behind, it would be taken for that of the new one. */
  private static final String[] PARTS = {"-wal", "-shm", ""};

  private final Path file;
  private final Path copy;
  private final Path complete;
  private final InstantSource clock;
  private final boolean replica;

  private Repair(Path file, InstantSource clock, boolean replica) {
    this.file = file;
    this.copy = beside(file, ".copy");
    this.complete = beside(file, ".repaired");
    this.clock = clock;
    this.replica = replica;
  }

  /**
   * Repairs what is damaged, and tells what is lost, without paths; null if nothing is.
   *
   * @param replica whether it carries out a log: then what is left of it is worth nothing, since
   *     nothing may be missing between two entries, and it begins empty
   */
  static @Nullable String ifNeeded(Database database, InstantSource clock, boolean replica)
      throws SQLException {
    Repair repair = new Repair(database.file(), clock, replica);
    try {
      return repair.run(database);
    } catch (IOException e) {
      throw new StoreUnavailableException(database.file(), e);
    }
  }

  private @Nullable String run(Database database) throws SQLException, IOException {
    if (Files.exists(complete)) {
      takeOver();
    }
    if (!Files.exists(file)) {
      return null;
    }
    WalIndex index = WalIndex.read(beside(file, "-shm"));
    String tail = WalTail.report(beside(file, "-wal"), index);
    String damage = database.damage(/* everyRow= */ replica);
    if (damage == null) {
      return tail;
    }
    LOG.log(System.Logger.Level.ERROR, "{0} is damaged ({1}): repairing it", file, damage);
    for (String part : PARTS) {
      Files.deleteIfExists(beside(copy, part));
    }
    Database fresh = new Database(copy);
    Salvage.Saved saved = replica ? Salvage.nothing(fresh) : Salvage.copy(database, fresh);
    Files.move(copy, complete, StandardCopyOption.ATOMIC_MOVE);
    Path aside = takeOver();
    LOG.log(
        System.Logger.Level.ERROR,
        "{0} was damaged ({1}): kept {2} changes, discarded {3}; the damaged file is now {4}",
        file,
        damage,
        saved.kept(),
        saved.lost(),
        aside);
    String told = "kept " + saved.kept() + " changes, discarded " + saved.lost();
    return tail == null ? told : tail + "; " + told;
  }

  /** Moves the damaged files aside, as far as they are still there, and the copy in their place. */
  private Path takeOver() throws IOException {
    Path aside = beside(file, ".damaged-" + clock.millis());
    for (String part : PARTS) {
      if (Files.exists(beside(file, part))) {
        Files.move(beside(file, part), beside(aside, part), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE);
    return aside;
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }
}
