package io.penstock.server.policy;

import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a table with its rows, taken apart without SQLite: it refuses to read a page once
 * another one, through which it would come here, is damaged. Confined to one thread.
 *
 * <p>The format is that of sqlite.org/fileformat2.html, chapters 1.6 and 2.1. Anything may be
 * wrong; what is not a row of ours is left out, and {@link Row} has a checksum.
 */
final class LeafPage {
  private static final int TABLE_LEAF = 0x0d;
  private static final int FILE_HEADER_BYTES = 100;
  private static final int CELLS_AT = 8;
  private static final long ROW_BYTES_MAX = 1 << 20;
  private static final int FIRST_BLOB = 12;
  private static final int[] INTEGER_BYTES = {0, 1, 2, 3, 4, 6, 8};

  private final DamagedPages pages;
  private final ByteBuffer page;

  private LeafPage(DamagedPages pages, ByteBuffer page) {
    this.pages = pages;
    this.page = page;
  }

  /** The whole rows on a page; none if it is of another kind. */
  static List<Row> rows(DamagedPages pages, int number) throws IOException {
    ByteBuffer page = pages.page(number);
    int start = number == 1 ? FILE_HEADER_BYTES : 0;
    List<Row> rows = new ArrayList<>();
    if (page.get(start) == TABLE_LEAF) {
      LeafPage leaf = new LeafPage(pages, page);
      int cells = Short.toUnsignedInt(page.getShort(start + 3));
      for (int i = 0; i < cells && start + CELLS_AT + 2 * i + 1 < page.limit(); i++) {
        Row row = leaf.row(Short.toUnsignedInt(page.getShort(start + CELLS_AT + 2 * i)));
        if (row != null) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private @Nullable Row row(int at) throws IOException {
    try {
      ByteBuffer cell = page.duplicate().position(at);
      long bytes = varint(cell);
      long revision = varint(cell);
      return bytes > ROW_BYTES_MAX || bytes < 0
          ? null
          : Row.of(revision, columns(payload(cell, (int) bytes)));
    } catch (IndexOutOfBoundsException
        | IllegalArgumentException
        | BufferUnderflowException
        | BufferOverflowException e) {
      return null;
    }
  }

  /** The bytes of a row, which goes on in other pages if it is long. */
  private ByteBuffer payload(ByteBuffer cell, int bytes) throws IOException {
    int usable = page.limit();
    int most = usable - 35;
    int least = (usable - 12) * 32 / 255 - 23;
    int some = least + (bytes - least) % (usable - 4);
    int here = bytes <= most ? bytes : some <= most ? some : least;
    ByteBuffer all = ByteBuffer.allocate(bytes);
    all.put(cell.duplicate().limit(cell.position() + here));
    int next = all.hasRemaining() ? cell.getInt(cell.position() + here) : 0;
    while (all.hasRemaining() && next > 0 && next <= pages.last()) {
      ByteBuffer more = pages.page(next);
      next = more.getInt();
      all.put(more.limit(more.position() + Math.min(more.remaining(), all.remaining())));
    }
    return all.flip();
  }

  /** The values of a row: numbers, texts and nulls. */
  private static List<@Nullable Object> columns(ByteBuffer payload) {
    ByteBuffer types = payload.duplicate();
    int head = (int) varint(types);
    types.limit(head);
    ByteBuffer values = payload.duplicate().position(head);
    List<@Nullable Object> columns = new ArrayList<>();
    while (types.hasRemaining()) {
      columns.add(value((int) varint(types), values));
    }
    return columns;
  }

  private static @Nullable Object value(int type, ByteBuffer values) {
    if (type == 0) {
      return null;
    }
    if (type >= FIRST_BLOB) {
      byte[] bytes = new byte[Math.min((type - FIRST_BLOB) / 2, values.remaining())];
      values.get(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
    if (type < INTEGER_BYTES.length) {
      long number = values.get();
      for (int i = 1; i < INTEGER_BYTES[type]; i++) {
        number = number << Byte.SIZE | Byte.toUnsignedLong(values.get());
      }
      return number;
    }
    boolean one = type == 9;
    return one ? 1L : 0L;
  }

  private static long varint(ByteBuffer from) {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      byte next = from.get();
      value = value << 7 | (next & 0x7f);
      if (next >= 0) {
        return value;
      }
    }
    return value << Byte.SIZE | Byte.toUnsignedLong(from.get());
  }
}
