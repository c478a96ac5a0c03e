package io.penstock.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Answers as bytes, one after another. Confined to one event loop. */
final class Output {
  /** A type byte, a sign, 19 digits and the end of the line. */
  private static final int INTEGER_BYTES_MAX = 23;

  private byte[] bytes;
  private int length;

  Output(int bytesFirst) {
    bytes = new byte[bytesFirst];
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Starts again, and gives back memory that only a rare answer needed. */
  void clear(int bytesKept) {
    length = 0;
    if (bytes.length > bytesKept) {
      bytes = new byte[bytesKept];
    }
  }

  /** Takes back what was written after it was this long. */
  void cut(int toLength) {
    length = toLength;
  }

  void append(Output other) {
    raw(other.bytes, other.length);
  }

  void raw(byte[] source, int sourceLength) {
    reserve(sourceLength);
    System.arraycopy(source, 0, bytes, length, sourceLength);
    length += sourceLength;
  }

  void integer(long value) {
    head(':', value);
  }

  /** The head of an array. */
  void array(int elements) {
    head('*', elements);
  }

  /** The head of a map, which the older protocol tells as an array of keys and values. */
  void map(int pairs, boolean resp3) {
    head(resp3 ? '%' : '*', resp3 ? pairs : 2 * pairs);
  }

  /** The head of a set, which the older protocol tells as an array. */
  void set(int elements, boolean resp3) {
    head(resp3 ? '~' : '*', elements);
  }

  void nil(boolean resp3) {
    if (resp3) {
      line('_', "");
    } else {
      head('$', -1);
    }
  }

  /** The array that is none. */
  void nilArray(boolean resp3) {
    if (resp3) {
      nil(resp3);
    } else {
      head('*', -1);
    }
  }

  void bulk(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    bulk(utf8, 0, utf8.length);
  }

  void bulk(byte[] source, int from, int sourceLength) {
    head('$', sourceLength);
    reserve(sourceLength + 2);
    System.arraycopy(source, from, bytes, length, sourceLength);
    length += sourceLength;
    end();
  }

  void simple(String line) {
    line('+', line);
  }

  void error(String line) {
    line('-', line);
  }

  /** Five whole numbers: the whole answer of the commonest command. */
  void five(long first, long second, long third, long fourth, long fifth) {
    array(5);
    integer(first);
    integer(second);
    integer(third);
    integer(fourth);
    integer(fifth);
  }

  private void line(char type, String text) {
    byte[] ascii = Clean.line(text).getBytes(StandardCharsets.US_ASCII);
    reserve(ascii.length + 3);
    bytes[length++] = (byte) type;
    System.arraycopy(ascii, 0, bytes, length, ascii.length);
    length += ascii.length;
    end();
  }

  private void head(char type, long value) {
    reserve(INTEGER_BYTES_MAX);
    bytes[length++] = (byte) type;
    if (value >= 0 && value < 10) {
      bytes[length++] = (byte) ('0' + value);
    } else {
      digits(value);
    }
    end();
  }

  private void digits(long value) {
    if (value < 0) {
      bytes[length++] = '-';
    }
    // Taken apart below zero: the least number has no opposite.
    long rest = value < 0 ? value : -value;
    int size = 1;
    for (long r = rest / 10; r != 0; r /= 10) {
      size++;
    }
    for (int at = length + size - 1; at >= length; at--) {
      long next = rest / 10;
      bytes[at] = (byte) ('0' - (rest - 10 * next));
      rest = next;
    }
    length += size;
  }

  private void end() {
    bytes[length++] = '\r';
    bytes[length++] = '\n';
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
