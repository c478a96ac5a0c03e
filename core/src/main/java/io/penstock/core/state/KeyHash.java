package io.penstock.core.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * SipHash-1-3 of a key's UTF-8 bytes under a secret, so that nobody can aim collisions. Immutable.
 */
public final class KeyHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final String NO_KEY = "key: null (expected: a text or its bytes)";
  private static final int NON_ASCII = ~0x7F;

  /** The most bytes that one char of a text takes. */
  private static final int UTF8_MAX = 3;

  private static final int FINAL_ROUNDS = 3;
  private static final int BUFFER_BYTES = 1 << 12;
  private static final ThreadLocal<byte[]> BUFFER =
      ThreadLocal.withInitial(() -> new byte[BUFFER_BYTES]);

  private static final long FIRST_BYTE = 0xFFL << (Long.SIZE - Byte.SIZE);
  private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

  private final long secret0;
  private final long secret1;

  public KeyHash(long secret0, long secret1) {
    this.secret0 = secret0;
    this.secret1 = secret1;
  }

  /**
   * The hash of a text: equal to that of its UTF-8 bytes; half a surrogate pair counts as three.
   */
  @SuppressWarnings("deprecation")
  public long of(String key) {
    int length = Objects.requireNonNull(key, NO_KEY).length();
    int chars = 0;
    for (int at = 0; at < length; at++) {
      chars |= key.charAt(at);
    }
    if ((chars & NON_ASCII) != 0 || length > BUFFER_BYTES) {
      return ofCodePoints(key);
    }
    byte[] bytes = BUFFER.get();
    /* Deprecated because it cuts off all but the lowest byte of a char, which is all there is. */
    key.getBytes(0, length, bytes, 0);
    return of(bytes, 0, length);
  }

  /*
   * A surrogate without its other half has no UTF-8; it is encoded like any other number of its
   * size, in three bytes, so that two broken texts are two keys. A replacement such as `?` would
   * make them one.
   */
  private long ofCodePoints(String key) {
    byte[] bytes = bufferFor(key);
    int length = 0;
    for (int at = 0; at < key.length(); ) {
      int point = key.codePointAt(at);
      at += Character.charCount(point);
      int size = size(point);
      long encoded = utf8(point, size);
      for (int i = 0; i < size; i++) {
        bytes[length++] = (byte) (encoded >>> (8 * i));
      }
    }
    return of(bytes, 0, length);
  }

  /* Bytes of their own would be garbage; only those of enormous keys are. */
  private static byte[] bufferFor(String key) {
    long most = UTF8_MAX * (long) key.length();
    return most <= BUFFER_BYTES ? BUFFER.get() : new byte[Math.toIntExact(most)];
  }

  /** How many bytes of UTF-8 a code point takes. */
  private static int size(int point) {
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }

  /** The UTF-8 bytes of a code point, the first one lowest. */
  private static long utf8(int point, int size) {
    if (size == 1) {
      return point;
    }
    long bytes = 0;
    int rest = point;
    for (int i = 1; i < size; i++) {
      bytes = bytes << 8 | 0x80 | (rest & 0x3F);
      rest >>= 6;
    }
    int lead = (0xF00 >> size) & 0xFF;
    return bytes << 8 | lead | rest;
  }

  private static IndexOutOfBoundsException outside(byte[] key, int from, int length) {
    return new IndexOutOfBoundsException(
        "from: " + from + ", length: " + length + " (expected: within " + key.length + " bytes)");
  }

  /** The hash of a range of bytes. */
  public long of(byte[] key, int from, int length) {
    int rest = Objects.requireNonNull(key, NO_KEY).length - from;
    if (from < 0 || length < 0 || rest < length) {
      throw outside(key, from, length);
    }
    int words = length / Long.BYTES;
    long last = (long) length << 56 | tail(key, from + words * Long.BYTES, length % Long.BYTES);
    return sip(key, from, words, last);
  }

  /** Less than a word of bytes: cut off a whole one if there are so many. */
  private static long tail(byte[] key, int from, int length) {
    if (key.length - from >= Long.BYTES) {
      return (long) LONGS.get(key, from) & ((1L << (8 * length)) - 1);
    }
    long tail = 0;
    for (int i = 0; i < length; i++) {
      tail |= (key[from + i] & 0xFFL) << (8 * i);
    }
    return tail;
  }

  /*
   * In one method, with its four words in variables: an object for them is left on the heap now and
   * then, depending on what else the compiler has seen. The round stands here twice, for the words
   * and for the end, because one loop for both asks in each round which it is.
   */
  private long sip(byte[] key, int from, int words, long last) {
    long v0 = secret0 ^ 0x736f6d6570736575L;
    long v1 = secret1 ^ 0x646f72616e646f6dL;
    long v2 = secret0 ^ 0x6c7967656e657261L;
    long v3 = secret1 ^ 0x7465646279746573L;
    for (int i = 0; i <= words; i++) {
      long word = i < words ? (long) LONGS.get(key, from + Long.BYTES * i) : last;
      v3 ^= word;
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
      v0 ^= word;
    }
    v2 ^= 0xFF;
    for (int i = 0; i < FINAL_ROUNDS; i++) {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /**
   * The hash of one of the counters of a key; slot 0 is the key itself. All have its first byte: a
   * shard is a range of hashes, and moves with all counters of its keys (R23).
   */
  public static long slot(long hash, int slot) {
    if (slot == 0) {
      return hash;
    }
    long mixed = (hash ^ slot * GOLDEN_RATIO) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
    return ((mixed ^ mixed >>> 31) >>> Byte.SIZE) | (hash & FIRST_BYTE);
  }
}
