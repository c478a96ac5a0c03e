package io.penstock.server.node;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Values as bytes, for what the shard keeps. The first byte is the number of the format. */
final class Packed {
  private static final int FORMAT = 1;

  interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private Packed() {}

  static byte[] write(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  static <T> T read(byte[] bytes, Reading<T> reading) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalStateException("format: " + format + " (expected: " + FORMAT + ")");
      }
      return reading.from(in);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }
}
