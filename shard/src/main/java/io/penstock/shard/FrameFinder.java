package io.penstock.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Finds the whole frames of a file in order, also those behind damaged ones. Confined. */
final class FrameFinder {
  /*
   * A damaged frame whose length is right leads to the one behind it. If its length is damaged too,
   * the next whole frame is where the bytes look like a head, the number is one that so many lost
   * frames leave possible, and the checksum holds. A text that a client had stored can look like a
   * head and make this compute checksums, so there is an end to that.
   */
  private static final int LEAST = Frame.HEAD + Frame.STAMP;
  private static final long CHECKED_BYTES_MAX = 1L << 30;
  private static final int NONE = -1;

  private final FileBytes bytes;
  private final CRC32C crc = new CRC32C();
  private long next = Header.BYTES;
  private long nextNumber = 1;
  private long offset;
  private ByteBuffer rest = ByteBuffer.allocate(0);
  private long checkedBytes;

  FrameFinder(FileBytes bytes) {
    this.bytes = bytes;
  }

  /** Goes to the next whole frame; false if there is none. */
  boolean goesOn() throws IOException {
    return isWhole(next, nextNumber, nextNumber) || goesOnByLength() || goesOnBySearch();
  }

  private boolean goesOnByLength() throws IOException {
    long at = next;
    long number = nextNumber;
    for (int length = length(at); length != NONE; length = length(at)) {
      at += Frame.HEAD + length;
      number++;
      if (isWhole(at, number, number)) {
        return true;
      }
    }
    return false;
  }

  private boolean goesOnBySearch() throws IOException {
    for (long at = next + 1; bytes.length() - at >= LEAST; at++) {
      if (isWhole(at, nextNumber, nextNumber + (at - next) / LEAST)) {
        return true;
      }
      if (checkedBytes > CHECKED_BYTES_MAX) {
        return false;
      }
    }
    return false;
  }

  /** Goes to a frame if it is whole and its number is one of these. */
  private boolean isWhole(long at, long numberMin, long numberMax) throws IOException {
    int length = length(at);
    if (length == NONE) {
      return false;
    }
    ByteBuffer head = bytes.at(at, LEAST);
    long number = head.getLong(Frame.HEAD);
    int checksum = head.getInt(Integer.BYTES);
    if (number < numberMin || number > numberMax) {
      return false;
    }
    ByteBuffer found = bytes.at(at + Frame.HEAD, length);
    crc.reset();
    crc.update(found.duplicate());
    checkedBytes += at == next ? 0 : length;
    if ((int) crc.getValue() != checksum) {
      return false;
    }
    offset = at;
    rest = found;
    next = at + Frame.HEAD + length;
    nextNumber = number + 1;
    return true;
  }

  /**
   * Whether what is behind the last whole frame may be the beginning of the next one, or that frame
   * damaged: as a kill leaves it.
   */
  boolean endsInAFrame() throws IOException {
    long left = bytes.length() - next;
    if (left < LEAST) {
      return true;
    }
    ByteBuffer head = bytes.at(next, LEAST);
    return head.getLong(Frame.HEAD) == nextNumber && left - Frame.HEAD <= head.getInt(0);
  }

  /** The length that a frame says it has, behind its head; {@code NONE} if that cannot be. */
  private int length(long at) throws IOException {
    long room = bytes.length() - at - Frame.HEAD;
    if (room < Frame.STAMP) {
      return NONE;
    }
    int length = bytes.at(at, Integer.BYTES).getInt();
    boolean fits = length >= Frame.STAMP && length <= Frame.BYTES_MAX && length <= room;
    return fits ? length : NONE;
  }

  /** Where the frame begins. */
  long offset() {
    return offset;
  }

  /** The frame behind its head, until the next one is looked for. */
  ByteBuffer rest() {
    return rest;
  }
}
