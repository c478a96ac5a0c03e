package io.penstock.core.policy;

import io.penstock.core.state.KeyHash;

/**
 * Hashes of edges under a secret. Immutable.
 *
 * <p>Values are chosen by everybody, so theirs is a strong hash. Keys and domains are few, short
 * and chosen by those who write policies: a polynomial at a secret point is enough, and much
 * faster.
 */
final class Hashes {
  /** The first bits of a head are of its hash, the others are its place. */
  private static final int PLACE_BITS = 38;

  /** How many of the first bits of a head may tell buckets apart; 40 million edges use them all. */
  static final int DEPTH_MAX = 16;

  private static final long FACTOR = 0xD6E8_FEB8_6659_FD93L;

  private final KeyHash secret;
  private final long point;

  Hashes(KeyHash secret) {
    this.secret = secret;
    this.point = secret.of("keys") | 1;
  }

  long ofValue(String value) {
    return secret.of(value);
  }

  long ofKey(String key) {
    long sum = key.length();
    for (int i = 0; i < key.length(); i++) {
      sum = sum * point + key.charAt(i);
    }
    return sum;
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
