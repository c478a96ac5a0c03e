package io.penstock.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Keys of 16 ASCII bytes, made from an index in one hot buffer as if just read off a socket.
 * Confined to one thread.
 */
final class KeyStream {
  static final int LENGTH = 16;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LETTERS = 0x6161616161616161L;
  private static final long MULTIPLIER = 6364136223846793005L;
  private static final long INCREMENT = 1442695040888963407L;

  private final byte[] key = "user-key........".getBytes(ISO_8859_1);
  private final int keys;
  private long random;

  /** Keys chosen uniformly among the first {@code keys}. */
  KeyStream(int keys, long seed) {
    this.keys = keys;
    this.random = seed;
  }

  /** The next key, in a buffer that the key after it overwrites. */
  byte[] next() {
    random = random * MULTIPLIER + INCREMENT;
    return at(((random >>> 32) * keys) >>> 32);
  }

  /** Moves on by a number that the caller may only just have learnt. */
  void skip(int by) {
    random += by;
  }

  /** The next key as a string of its own, as a server would make it. */
  String nextString() {
    return new String(next(), ISO_8859_1);
  }

  /** The key of that index, below 2^32, in the same buffer. */
  byte[] at(long index) {
    // One letter from a to p for each half byte: spread them apart, then add the letter a to each.
    long spread = index;
    spread = (spread | spread << 16) & 0x0000ffff0000ffffL;
    spread = (spread | spread << 8) & 0x00ff00ff00ff00ffL;
    spread = (spread | spread << 4) & 0x0f0f0f0f0f0f0f0fL;
    WORDS.set(key, Long.BYTES, spread + LETTERS);
    return key;
  }

  String stringAt(long index) {
    return new String(at(index), ISO_8859_1);
  }
}
