package io.penstock.core.policy;

import io.penstock.core.state.KeyHash;
import org.jspecify.annotations.Nullable;

/**
 * The tree of scopes, read: which edges leave a node, and where they end. As immutable as its
 * edges; lookups lock and allocate nothing.
 */
record Tree(Edges edges, KeyHash hash) {
  /** The number of the node that the domains leave. */
  static final long ROOT = 0;

  private static final int KIND_BITS = 2;
  private static final int EXACT = 0;
  private static final int WILD = 1;
  private static final int BARE = 2;
  private static final int DOMAIN = 3;

  static long domains() {
    return ROOT << KIND_BITS | DOMAIN;
  }

  static long exact(Fork fork) {
    return fork.id() << KIND_BITS | EXACT;
  }

  static long wild(Fork fork) {
    return fork.id() << KIND_BITS | WILD;
  }

  static long bare(Fork fork) {
    return fork.id() << KIND_BITS | BARE;
  }

  /*
   * The hashes of the texts are keyed, so their sum is as good as random to others; the rest makes
   * every bit depend on every other.
   */
  static long mixed(long place, int keyHash, long valueHash) {
    long mixed = valueHash + (place ^ (long) keyHash << 32) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
    return mixed ^ mixed >>> 32;
  }

  @Nullable Object domain(String domain) {
    return unvalued(domains(), domain, domain.hashCode());
  }

  @Nullable Object exact(Fork fork, String key, int keyHash, String value) {
    long place = exact(fork);
    return edges.get(mixed(place, keyHash, hash.of(value)), place, key, value);
  }

  Wildcards wildcards(Fork fork, String key, int keyHash) {
    return unvalued(wild(fork), key, keyHash) instanceof Wildcards some ? some : Wildcards.NONE;
  }

  @Nullable Object bare(Fork fork, String key, int keyHash) {
    return unvalued(bare(fork), key, keyHash);
  }

  private @Nullable Object unvalued(long place, String key, int keyHash) {
    return edges.get(mixed(place, keyHash, /* valueHash= */ 0), place, key, "");
  }

  /** Where exactly this level ends; null if nowhere. */
  @Nullable Object child(Fork fork, Level level) {
    Glob value = level.value();
    String key = level.key();
    int keyHash = key.hashCode();
    if (value == null) {
      return bare(fork, key, keyHash);
    }
    return value.isExact()
        ? exact(fork, key, keyHash, value.exact())
        : wildcards(fork, key, keyHash).get(value);
  }
}
