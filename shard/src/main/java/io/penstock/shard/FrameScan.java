package io.penstock.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A file of frames as it was found: its header, and which frames are whole. Immutable. */
final class FrameScan {
  private static final int OFFSETS_MIN = 64;

  private final Path path;
  private final long fileLength;
  private @Nullable Header header;
  private long[] offsets = new long[OFFSETS_MIN];
  private int count;
  private long wholeLength;
  private long lastNanos;
  private boolean ended;
  private long states;

  private FrameScan(Path path, long fileLength) {
    this.path = path;
    this.fileLength = fileLength;
  }

  /** Reads a journal up to the first frame that is not whole. */
  static FrameScan journal(Path path) throws IOException {
    return scan(path, /* isSalvage= */ false);
  }

  /** Reads a snapshot, all of it: a frame that is damaged is passed over if its length is right. */
  static FrameScan snapshot(Path path) throws IOException {
    return scan(path, /* isSalvage= */ true);
  }

  private static FrameScan scan(Path path, boolean isSalvage) throws IOException {
    try (FileBytes bytes = new FileBytes(path)) {
      FrameScan scan = new FrameScan(path, bytes.length());
      if (scan.fileLength >= Header.BYTES) {
        scan.header = Header.read(bytes.at(0, Header.BYTES), path.toString());
      }
      if (scan.header != null) {
        scan.frames(bytes, isSalvage);
      }
      return scan;
    }
  }

  private void frames(FileBytes bytes, boolean isSalvage) throws IOException {
    CRC32C crc = new CRC32C();
    long at = Header.BYTES;
    long number = 1;
    wholeLength = at;
    boolean goesOn = true;
    while (goesOn && fileLength - at >= Frame.HEAD + Frame.STAMP) {
      ByteBuffer head = bytes.at(at, Frame.HEAD);
      int length = head.getInt();
      int checksum = head.getInt();
      boolean fits =
          length >= Frame.STAMP
              && length <= Frame.BYTES_MAX
              && length <= fileLength - at - Frame.HEAD;
      ByteBuffer rest = fits ? bytes.at(at + Frame.HEAD, length) : head;
      crc.reset();
      crc.update(rest.duplicate());
      boolean good = fits && (int) crc.getValue() == checksum && rest.getLong(0) == number;
      goesOn = good || (isSalvage && fits);
      if (good) {
        add(at, rest);
        wholeLength += wholeLength == at ? Frame.HEAD + length : 0;
      }
      at += Frame.HEAD + length;
      number++;
    }
  }

  private void add(long at, ByteBuffer rest) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    offsets[count++] = at;
    lastNanos = Math.max(lastNanos, rest.getLong(Long.BYTES));
    int endAt = rest.limit() - Records.END_BYTES;
    ended = endAt >= Frame.STAMP && rest.get(endAt) == Records.END;
    states = ended ? rest.getLong(endAt + 1) : 0;
  }

  Path path() {
    return path;
  }

  /** What the file says about itself, or null if that is damaged. */
  @Nullable Header header() {
    return header;
  }

  /** The number of frames that are whole, and begin before a length. */
  int countBefore(long length) {
    int found = Arrays.binarySearch(offsets, 0, count, length);
    return found < 0 ? -1 - found : found;
  }

  int count() {
    return count;
  }

  long offset(int index) {
    return offsets[index];
  }

  /** How long the file is. */
  long fileLength() {
    return fileLength;
  }

  /** How far the file is whole. */
  long wholeLength() {
    return wholeLength;
  }

  long lastNanos() {
    return lastNanos;
  }

  /** How many states a snapshot says that it holds. */
  long states() {
    return states;
  }

  /** Whether a snapshot is whole to its end. */
  boolean isWhole() {
    return header != null && ended && wholeLength == fileLength;
  }
}
