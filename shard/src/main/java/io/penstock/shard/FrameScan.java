package io.penstock.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of frames as it was found: its header, and which frames are whole. Immutable. */
final class FrameScan {
  private static final int OFFSETS_MIN = 64;

  /** Bytes before a whole frame that belong to none. Immutable. */
  private record Gap(long from, long to) {}

  private final Path path;
  private final long fileLength;
  private @Nullable Header header;
  private long[] offsets = new long[OFFSETS_MIN];
  private int count;
  private final List<Gap> gaps = new ArrayList<>();
  private long endLength;
  private long lastNanos;
  private boolean ended;
  private long states;
  private boolean tornAtMost;

  private FrameScan(Path path, long fileLength) {
    this.path = path;
    this.fileLength = fileLength;
  }

  /** Reads a journal. If its header is damaged and frames are whole, the number stands for it. */
  static FrameScan journal(Path path, long number) throws IOException {
    FrameScan scan = scan(path);
    if (scan.header == null && scan.count > 0) {
      scan.header = Header.damaged(number);
    }
    return scan;
  }

  static FrameScan snapshot(Path path) throws IOException {
    return scan(path);
  }

  private static FrameScan scan(Path path) throws IOException {
    try (FileBytes bytes = new FileBytes(path)) {
      FrameScan scan = new FrameScan(path, bytes.length());
      if (scan.fileLength >= Header.BYTES) {
        scan.header = Header.read(bytes.at(0, Header.BYTES), path.toString());
        scan.endLength = scan.header == null ? 0 : Header.BYTES;
      }
      FrameFinder finder = new FrameFinder(bytes);
      while (finder.goesOn()) {
        scan.add(finder.offset(), finder.rest());
      }
      scan.tornAtMost = finder.endsInAFrame();
      return scan;
    }
  }

  private void add(long at, ByteBuffer rest) {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    offsets[count++] = at;
    if (at > endLength) {
      gaps.add(new Gap(endLength, at));
    }
    endLength = at + Frame.HEAD + rest.limit();
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

  /** Where the last whole frame ends. */
  long endLength() {
    return endLength;
  }

  /** Where the first bytes are that belong to nothing whole. */
  long lostFrom() {
    return gaps.isEmpty() ? endLength : gaps.get(0).from;
  }

  /** How many bytes before a length belong to nothing whole, or are not there. */
  long lostBefore(long length) {
    long lost = Math.max(0, length - endLength);
    for (Gap gap : gaps) {
      lost += Math.max(0, Math.min(gap.to, length) - gap.from);
    }
    return lost;
  }

  /**
   * Whether behind the last whole frame is nothing else than what a write that was cut short left.
   */
  boolean isTornAtMost() {
    return tornAtMost;
  }

  /** Whether something whole stands behind what is damaged: then no write was cut short. */
  boolean hasGaps() {
    return !gaps.isEmpty();
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
    return header != null && ended && gaps.isEmpty() && endLength == fileLength;
  }
}
