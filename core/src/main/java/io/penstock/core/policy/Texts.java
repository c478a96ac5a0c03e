package io.penstock.core.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The two texts of an edge as bytes: one per character if all are Latin-1, else two. Pure functions
 * that allocate nothing.
 */
final class Texts {
  private static final VarHandle CHARS =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);

  /** Enough for {@link Scope#LENGTH_MAX}. */
  private static final int LENGTH_BITS = 15;

  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

  /** Set in the lengths of texts with two bytes per character. */
  private static final int WIDE = 1 << 31;

  private static final int LATIN1_MAX = 0xFF;

  private Texts() {}

  /** The lengths of both, and how wide they are, as one number. */
  static int lengths(String key, String value) {
    boolean wide = isWide(key) || isWide(value);
    return key.length() << LENGTH_BITS | value.length() | (wide ? WIDE : 0);
  }

  private static boolean isWide(String text) {
    return text.chars().anyMatch(c -> c > LATIN1_MAX);
  }

  /** How many bytes texts of these lengths take. */
  static int bytes(int lengths) {
    int chars = ((lengths & ~WIDE) >>> LENGTH_BITS) + (lengths & LENGTH_MASK);
    return lengths < 0 ? Character.BYTES * chars : chars;
  }

  static void write(byte[] to, int from, int lengths, String key, String value) {
    for (int i = 0; i < key.length() + value.length(); i++) {
      char c = i < key.length() ? key.charAt(i) : value.charAt(i - key.length());
      if (lengths < 0) {
        CHARS.set(to, from + Character.BYTES * i, c);
      } else {
        to[from + i] = (byte) c;
      }
    }
  }

  /** Whether texts of these lengths, somewhere, are these two. */
  static boolean areAt(byte[] bytes, int from, int lengths, String key, String value) {
    if ((lengths & ~WIDE) != (key.length() << LENGTH_BITS | value.length())) {
      return false;
    }
    return lengths < 0
        ? isWide(bytes, from, key) && isWide(bytes, from + Character.BYTES * key.length(), value)
        : isLatin1(bytes, from, key) && isLatin1(bytes, from + key.length(), value);
  }

  /** Mostly they are equal: no step waits for the one before. */
  private static boolean isLatin1(byte[] bytes, int from, String text) {
    int differences = 0;
    for (int i = 0; i < text.length(); i++) {
      differences |= (bytes[from + i] & LATIN1_MAX) ^ text.charAt(i);
    }
    return differences == 0;
  }

  private static boolean isWide(byte[] bytes, int from, String text) {
    for (int i = 0; i < text.length(); i++) {
      if ((char) CHARS.get(bytes, from + Character.BYTES * i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
