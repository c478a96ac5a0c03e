package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * JSON as bytes, written piece by piece: pieces that are always the same were encoded before, so
 * that an answer costs little more than its copy. Reused; confined to one thread.
 */
final class JsonBytes {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(US_ASCII);
  private static final int LONG_DIGITS_MAX = 20;

  private byte[] bytes = new byte[1_024];
  private int length;

  /** What is written again and again, encoded once. */
  static byte[] piece(String ascii) {
    return ascii.getBytes(US_ASCII);
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  JsonBytes raw(byte[] piece) {
    grow(piece.length);
    System.arraycopy(piece, 0, bytes, length, piece.length);
    length += piece.length;
    return this;
  }

  JsonBytes number(long value) {
    grow(LONG_DIGITS_MAX);
    if (value < 0) {
      bytes[length++] = '-';
    }
    int digits = digits(value);
    // Below zero, where every long has its place.
    long rest = value < 0 ? value : -value;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' - rest % 10);
      rest /= 10;
    }
    length += digits;
    return this;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long rest = value / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /** A text in quotes. */
  JsonBytes text(String text) {
    int count = text.length();
    grow(count + 2);
    int begin = length;
    bytes[length++] = '"';
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        length = begin;
        return unusual(text);
      }
      bytes[length++] = (byte) c;
    }
    bytes[length++] = '"';
    return this;
  }

  /** With characters that must be escaped, or that are no ASCII. */
  private JsonBytes unusual(String text) {
    byte[] encoded = text.getBytes(UTF_8);
    grow(6 * encoded.length + 2);
    bytes[length++] = '"';
    for (byte b : encoded) {
      if (b == '"' || b == '\\') {
        bytes[length++] = '\\';
        bytes[length++] = b;
      } else if (b >= 0 && b < ' ') {
        escape(b);
      } else {
        bytes[length++] = b;
      }
    }
    bytes[length++] = '"';
    return this;
  }

  private void escape(byte b) {
    bytes[length++] = '\\';
    bytes[length++] = 'u';
    bytes[length++] = '0';
    bytes[length++] = '0';
    bytes[length++] = HEX[b >> 4];
    bytes[length++] = HEX[b & 15];
  }

  private void grow(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
