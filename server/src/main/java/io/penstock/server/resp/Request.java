package io.penstock.server.resp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One command and its arguments, as places in an array of bytes that is used again for the next.
 * Confined to the event loop of its connection.
 */
final class Request {
  private static final int ARGUMENTS_FIRST = 8;
  private static final int DIGITS_MAX = 19;

  private byte[] bytes = new byte[0];
  private int[] from = new int[ARGUMENTS_FIRST];
  private int[] length = new int[ARGUMENTS_FIRST];
  private int count;
  private @Nullable Command command;
  private long hash;
  private long nowNanos;

  void clear() {
    count = 0;
  }

  /** Says what was found out in advance: the command it calls, the hash of its key if any, when. */
  void foresee(@Nullable Command called, long keyHash, long nanos) {
    command = called;
    hash = keyHash;
    nowNanos = nanos;
  }

  @Nullable Command command() {
    return command;
  }

  long hash() {
    return hash;
  }

  /** When the bytes were looked at: one time for all commands that came together. */
  long nowNanos() {
    return nowNanos;
  }

  void add(int argumentFrom, int argumentLength) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      length = Arrays.copyOf(length, 2 * count);
    }
    from[count] = argumentFrom;
    length[count++] = argumentLength;
  }

  /** The arguments are in this array now, {@code down} bytes nearer to its beginning. */
  void moveTo(byte[] array, int down) {
    bytes = array;
    for (int i = 0; i < count; i++) {
      from[i] -= down;
    }
  }

  /** The number of arguments, the name of the command included. */
  int count() {
    return count;
  }

  byte[] bytes() {
    return bytes;
  }

  int from(int index) {
    return from[index];
  }

  int length(int index) {
    return length[index];
  }

  /** Whether an argument is this word, which is in capitals, in whatever case. */
  boolean is(int index, byte[] word) {
    if (length[index] != word.length) {
      return false;
    }
    int start = from[index];
    for (int i = 0; i < word.length; i++) {
      if (upper(bytes[start + i]) != word[i]) {
        return false;
      }
    }
    return true;
  }

  /** A name in capitals; bytes that are in no name are those that it would not have. */
  String word(int index) {
    byte[] word = Arrays.copyOfRange(bytes, from[index], from[index] + length[index]);
    for (int i = 0; i < word.length; i++) {
      word[i] = upper(word[i]);
    }
    return new String(word, StandardCharsets.ISO_8859_1);
  }

  private static byte upper(byte b) {
    return b >= 'a' && b <= 'z' ? (byte) (b - ('a' - 'A')) : b;
  }

  /** An argument as it is, for an error line. */
  String quote(int index) {
    return Clean.cut(
        new String(
            bytes, from[index], Math.min(length[index], 1 << 10), StandardCharsets.ISO_8859_1));
  }

  /** A text that was sent as UTF-8; anything else would make different bytes one text. */
  String text(int index, String name) {
    String text = textOrNull(index);
    if (text == null) {
      throw RefusedException.value(name, quote(index), "UTF-8");
    }
    return text;
  }

  /** The same, or null if something else was sent. */
  @Nullable String textOrNull(int index) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from[index], length[index]))
          .toString();
    } catch (CharacterCodingException somethingElse) {
      return null;
    }
  }

  /** A whole number that fits a {@code long}. */
  long number(int index, String name) {
    int at = from[index];
    int end = at + length[index];
    boolean negative = at < end && bytes[at] == '-';
    int digits = negative ? at + 1 : at;
    if (digits == end || end - digits > DIGITS_MAX) {
      throw notNumber(index, name);
    }
    // Summed up below zero, where there is room for one more than above.
    long sum = 0;
    for (int i = digits; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        throw notNumber(index, name);
      }
      sum = 10 * sum - digit;
    }
    if (sum > 0 || (sum == Long.MIN_VALUE && !negative)) {
      throw notNumber(index, name);
    }
    return negative ? sum : -sum;
  }

  private RefusedException notNumber(int index, String name) {
    return RefusedException.value(name, quote(index), "a whole number of 64 bits");
  }
}
