package io.penstock.core.policy;

import io.penstock.core.state.KeyHash;

/**
 * Hashes of edges under a secret. Immutable.
 *
 * <p>Only those who write policies put edges somewhere, and who looks for one reads few cells
 * whatever it asks for: a polynomial at a secret point is enough, and takes half as long as a
 * strong hash. For long texts it is not: there are some of which it is the same at every point.
 */
final class Hashes {
  /** The first bits of a head are of its hash, the others are its place. */
  private static final int PLACE_BITS = 38;

  /** How many of the first bits of a head may tell buckets apart; 40 million edges use them all. */
  static final int DEPTH_MAX = 16;

  private static final int POLYNOMIAL_MAX = 64;

  private static final long FACTOR = 0xD6E8_FEB8_6659_FD93L;

  private final KeyHash secret;
  private final long point;

  Hashes(KeyHash secret) {
    this.secret = secret;
    this.point = secret.of("keys") | 1;
  }

  /** Of every second char one polynomial, so that no step waits for the one before. */
  long of(String text) {
    int length = text.length();
    if (length > POLYNOMIAL_MAX) {
      return secret.of(text);
    }
    long even = length;
    long odd = point;
    for (int i = 1; i < length; i += 2) {
      even = even * point + text.charAt(i - 1);
      odd = odd * point + text.charAt(i);
    }
    if ((length & 1) != 0) {
      even = even * point + text.charAt(length - 1);
    }
    return even * FACTOR ^ (odd ^ odd >>> 32) * point;
  }

  /** The head of an edge: some bits of its hash, and the place it leaves. Never 0. */
  static long head(long place, long keyHash, long valueHash) {
    long mixed = valueHash + (keyHash ^ keyHash >>> 32) * FACTOR;
    mixed = (mixed ^ mixed >>> 32) + place * FACTOR;
    mixed = (mixed ^ mixed >>> 32) * FACTOR;
    return mixed >>> PLACE_BITS << PLACE_BITS | place;
  }

  /** The last bits of the hash in a head: they say where in its bucket an edge is. */
  static int home(long head) {
    return (int) (head >>> PLACE_BITS);
  }
}
