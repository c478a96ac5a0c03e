package io.penstock.server.policy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Copies what is whole of a damaged database into a new one. Confined to one thread. */
final class Salvage {
  /** So many numbers without a whole row in a row mean that there are no more. */
  private static final int GAP_MAX = 100_000;

  /* Of the header of a SQLite file: sqlite.org/fileformat2.html#the_database_header. */
  private static final int HEADER_BYTES = 100;
  private static final int PAGE_BYTES_AT = 16;
  private static final int PAGES_AT = 28;

  /** A length beyond so many times the real one is damage itself. */
  private static final long EXTENDED_MAX = 1_000;

  /**
   * What became of the changes. Immutable.
   *
   * @param lost how many are missing, as far as the numbers of those kept tell
   */
  record Saved(long kept, String lost) {}

  private final Rows from;
  private final Rows to;
  private long kept;
  private long last;

  private Salvage(Rows from, Rows to) {
    this.from = from;
    this.to = to;
  }

  static Saved copy(Database damaged, Database fresh) throws SQLException, IOException {
    restoreLength(damaged.file());
    try (Rows to = fresh.rows()) {
      try (Rows from = damaged.rows()) {
        to.begin();
        Saved saved = new Salvage(from, to).run();
        to.commit();
        return saved;
      } catch (SQLException e) {
        if (!Repair.isDamage(e)) {
          throw e;
        }
        return new Saved(0, "everything");
      }
    }
  }

  /**
   * Fills a file that was cut short with zeros, up to the length its header tells: SQLite refuses
   * to read any page of a file that is shorter.
   */
  private static void restoreLength(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      if (bytes.length() >= HEADER_BYTES) {
        bytes.seek(PAGE_BYTES_AT);
        long pageBytes = bytes.readUnsignedShort();
        bytes.seek(PAGES_AT);
        long length = pageBytes * bytes.readInt();
        if (bytes.length() < length && length <= EXTENDED_MAX * bytes.length()) {
          bytes.setLength(length);
        }
      }
    }
  }

  /* One by one: a broken page then costs the rows on it and no others. */
  private Saved run() throws SQLException {
    for (long revision = 1; revision - last <= GAP_MAX; revision++) {
      Row row = row(revision);
      if (row != null) {
        to.insert(row);
        kept++;
        last = revision;
      }
    }
    return new Saved(kept, last - kept + " of the first " + last + ", and all after those");
  }

  private @Nullable Row row(long revision) throws SQLException {
    try {
      return from.at(revision);
    } catch (SQLException e) {
      if (Repair.isDamage(e)) {
        return null;
      }
      throw e;
    }
  }
}
