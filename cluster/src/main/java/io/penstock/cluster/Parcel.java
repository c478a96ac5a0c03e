package io.penstock.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One message of a stream between two nodes: many slips. The first byte is the format. */
final class Parcel {
  static final int FORMAT = 1;

  /** A parcel that has reached this is closed: it holds at least one slip, of whatever size. */
  static final int FULL_BYTES = 64 << 10;

  private static final int HEAD_BYTES = Long.BYTES + Byte.BYTES + Integer.BYTES;
  private static final byte LETTER = 0;
  private static final byte FAILURE = 1;

  private Parcel() {}

  /** What a slip takes in a parcel. */
  static int bytes(Slip slip) {
    return HEAD_BYTES + slip.text().length;
  }

  static byte[] write(List<Slip> slips) {
    int size = Byte.BYTES;
    for (Slip slip : slips) {
      size = Math.addExact(size, bytes(slip));
    }
    ByteBuffer out = ByteBuffer.allocate(size).put((byte) FORMAT);
    for (Slip slip : slips) {
      out.putLong(slip.number()).put(slip.isFailure() ? FAILURE : LETTER);
      out.putInt(slip.text().length).put(slip.text());
    }
    return out.array();
  }

  /** The slips of a parcel; throws what was expected if it is none. */
  static List<Slip> read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    expect("format", in.hasRemaining() ? in.get() : 0, FORMAT, FORMAT);
    List<Slip> slips = new ArrayList<>();
    while (in.hasRemaining()) {
      expect("bytes left", in.remaining(), HEAD_BYTES, Integer.MAX_VALUE);
      long number = in.getLong();
      byte kind = in.get();
      expect("kind", kind, LETTER, FAILURE);
      int length = in.getInt();
      expect("length", length, 0, in.remaining());
      byte[] text = new byte[length];
      in.get(text);
      slips.add(new Slip(number, kind == FAILURE, text));
    }
    return slips;
  }

  private static void expect(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + min + ".." + max + ")");
    }
  }
}
