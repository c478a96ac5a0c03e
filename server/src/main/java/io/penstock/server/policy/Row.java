package io.penstock.server.policy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A change as it is on disk. Immutable.
 *
 * @param tier the tier the document refers to; null if none
 * @param bare whether it says nothing beside the tier
 */
record Row(Change change, Source source, @Nullable String tier, boolean bare) {
  /** The columns that {@link #read} expects, in its order. */
  static final String COLUMNS =
      "revision, kind, name, version, at, by, document, counters, source, tier, bare, sum";

  private static final int COLUMN_COUNT = 12;
  private static final byte[] NO_BYTES = {};
  private static final int ABSENT = 0xff;

  static final String PLACES = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";

  /** Reads the row at which the cursor stands; null if it is not as it was written. */
  static @Nullable Row read(ResultSet at) throws SQLException {
    List<@Nullable Object> columns = new ArrayList<>(COLUMN_COUNT);
    for (int i = 1; i <= COLUMN_COUNT; i++) {
      columns.add(at.getObject(i));
    }
    return of(at.getLong(1), columns);
  }

  /** The row with this number and these columns; null if it is not as it was written. */
  static @Nullable Row of(long revision, List<@Nullable Object> columns) {
    if (columns.size() < COLUMN_COUNT) {
      return null;
    }
    Kind kind = word(Kind.class, columns.get(1));
    Source source = word(Source.class, columns.get(8));
    if (kind != null
        && source != null
        && columns.get(2) instanceof String name
        && columns.get(3) instanceof Number version
        && columns.get(4) instanceof Number at
        && columns.get(5) instanceof String by
        && columns.get(7) instanceof String counters
        && columns.get(10) instanceof Number bare
        && columns.get(11) instanceof Number sum) {
      Change change =
          new Change(
              kind,
              name,
              version.longValue(),
              revision,
              Instant.ofEpochMilli(at.longValue()),
              by,
              text(columns.get(6)),
              counters);
      Row row = new Row(change, source, text(columns.get(9)), bare.intValue() == 1);
      return row.sum() == sum.longValue() ? row : null;
    }
    return null;
  }

  private static @Nullable String text(@Nullable Object value) {
    return value instanceof String text ? text : null;
  }

  private static <E extends Enum<E>> @Nullable E word(Class<E> choices, @Nullable Object value) {
    return value instanceof String text ? Words.named(choices, text) : null;
  }

  /** Fills in a statement with {@link #PLACES}. */
  void write(PreparedStatement insert) throws SQLException {
    insert.setLong(1, change.revision());
    insert.setString(2, Words.of(change.kind()));
    insert.setString(3, change.name());
    insert.setLong(4, change.version());
    insert.setLong(5, change.at().toEpochMilli());
    insert.setString(6, change.by());
    insert.setString(7, change.document());
    insert.setString(8, change.counters());
    insert.setString(9, Words.of(source));
    insert.setString(10, tier);
    insert.setBoolean(11, bare);
    insert.setLong(12, sum());
  }

  boolean isLive() {
    return change.document() != null;
  }

  /** How many bytes an answer takes to tell it, about. */
  long bytes() {
    return bytes(change.name()) + bytes(change.by()) + (long) bytes(change.document());
  }

  private static int bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  /* SQLite notices a broken page but not a changed letter. */
  private long sum() {
    CRC32C sum = new CRC32C();
    ByteBuffer numbers = ByteBuffer.allocate(3 * Long.BYTES + 1);
    numbers.putLong(change.revision()).putLong(change.version());
    numbers.putLong(change.at().toEpochMilli()).put((byte) (bare ? 1 : 0));
    sum.update(numbers.array());
    add(sum, Words.of(change.kind()));
    add(sum, Words.of(source));
    add(sum, change.name());
    add(sum, change.by());
    add(sum, change.document());
    add(sum, change.counters());
    add(sum, tier);
    return sum.getValue();
  }

  /** Adds a text and its length, so that no two rows look alike. */
  private static void add(CRC32C sum, @Nullable String text) {
    byte[] bytes = text == null ? NO_BYTES : text.getBytes(StandardCharsets.UTF_8);
    sum.update(bytes);
    sum.update(text == null ? ABSENT : bytes.length);
  }
}
