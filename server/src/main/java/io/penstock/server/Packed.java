package io.penstock.server;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Values as bytes, for what the shard keeps and what nodes tell each other. The first byte is the
 * number of the format.
 */
public final class Packed {
  static final int FORMAT = 1;
  private static final int ABSENT = -1;

  /** Writes the values. */
  public interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  /** Reads the values, in the same order. */
  public interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  /** Reads the values as they are in a format. */
  public interface FormatReading<T> {
    T from(DataInputStream in, int format) throws IOException;
  }

  private Packed() {}

  /** The bytes of what is written, in the first format. */
  public static byte[] write(Writing writing) {
    return write(FORMAT, writing);
  }

  /** The bytes of what is written. */
  public static byte[] write(int format, Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(format);
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  /** What the bytes hold that have only one format. */
  public static <T> T read(byte[] bytes, Reading<T> reading) {
    return read(bytes, FORMAT, (in, format) -> reading.from(in));
  }

  /** What the bytes hold, of a format up to the newest. */
  public static <T> T read(byte[] bytes, int newest, FormatReading<T> reading) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readByte();
      if (format < FORMAT || format > newest) {
        String known = newest == FORMAT ? "" + FORMAT : FORMAT + ".." + newest;
        throw new IllegalStateException(
            "format: " + format + " (expected: " + known + "; another version wrote it)");
      }
      return reading.from(in, format);
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /** How many bytes {@link DataOutputStream#writeUTF} takes for a text. */
  public static int utfBytes(String text) {
    int bytes = Short.BYTES;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c != 0 && c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
    }
    return bytes;
  }

  /** Writes a text of any length; null too. */
  public static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(text == null ? ABSENT : bytes.length);
    out.write(bytes);
  }

  /** Reads what {@link #writeText} wrote. */
  public static @Nullable String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length == ABSENT) {
      return null;
    }
    if (length < 0 || length > in.available()) {
      throw new IllegalStateException(
          "text: " + length + " bytes (expected: at most " + in.available() + ")");
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
