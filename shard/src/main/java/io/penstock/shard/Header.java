package io.penstock.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first 64 bytes of a file. Immutable.
 *
 * @param kind journal or snapshot
 * @param number of the file; a snapshot has that of the journal that completes it
 * @param base what must be there before its frames mean anything
 * @param stripes of the table: hashes are known as far as a table of so many knows them
 * @param previous the journal that this one goes on from
 * @param previousLength how far that one counts; what follows there was never acknowledged
 */
record Header(
    Kind kind, long number, Origin base, int stripes, long previous, long previousLength) {
  static final int BYTES = 64;
  static final int FORMAT = 1;

  /** The number of a journal that nobody knows. */
  static final long UNKNOWN = -1;

  private static final int CHECKSUM_AT = BYTES - Integer.BYTES;
  private static final long MAGIC = 0x006B_6373_6E65_7001L;

  /** What kind of file it is. */
  enum Kind {
    JOURNAL(0),
    SNAPSHOT(1);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /** What a journal builds on. */
  enum Origin {
    /** Nothing: the shard was empty. */
    EMPTY(0),
    /** The previous journal. */
    PREVIOUS(1),
    /** The snapshot of its own number. */
    SNAPSHOT(2);

    private final int code;

    Origin(int code) {
      this.code = code;
    }

    static Origin of(int code) {
      return code == EMPTY.code ? EMPTY : code == PREVIOUS.code ? PREVIOUS : SNAPSHOT;
    }
  }

  static Header snapshot(long number, int stripes) {
    return new Header(Kind.SNAPSHOT, number, Origin.EMPTY, stripes, 0, 0);
  }

  /**
   * What stands for the damaged header of a journal whose frames are whole: the first one began
   * with nothing, and others go on from one before them. Of stripes, no fewer than there are now.
   */
  static Header damaged(long number) {
    Origin base = number == 1 ? Origin.EMPTY : Origin.PREVIOUS;
    return new Header(Kind.JOURNAL, number, base, Integer.MAX_VALUE, UNKNOWN, 0);
  }

  ByteBuffer write() {
    return write(FORMAT);
  }

  /** This header as another format would have it. */
  ByteBuffer write(int format) {
    ByteBuffer to = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    to.putLong(MAGIC).putInt(format).putInt(kind.code).putLong(number);
    to.putInt(base.code).putInt(stripes).putLong(previous).putLong(previousLength);
    to.putInt(CHECKSUM_AT, checksum(to));
    return to.rewind();
  }

  /** The header that bytes tell of, or null if they are damaged. */
  static @Nullable Header read(ByteBuffer from, String file) {
    if (from.getInt(CHECKSUM_AT) != checksum(from) || from.getLong(0) != MAGIC) {
      return null;
    }
    from.position(Long.BYTES);
    int format = from.getInt();
    if (format != FORMAT) {
      throw new FolderException(
          file + ": format " + format + " (expected: " + FORMAT + ", written by this version)");
    }
    Kind kind = from.getInt() == Kind.JOURNAL.code ? Kind.JOURNAL : Kind.SNAPSHOT;
    long number = from.getLong();
    Origin base = Origin.of(from.getInt());
    return new Header(kind, number, base, from.getInt(), from.getLong(), from.getLong());
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(0).limit(CHECKSUM_AT));
    return (int) crc.getValue();
  }
}
