package io.penstock.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * The tree of scopes, read: which edges leave a node, and where they end. As immutable as its
 * edges; lookups lock and allocate nothing.
 */
record Tree(Edges edges, Hashes hashes) {
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

  @Nullable Object domain(String domain) {
    return unvalued(domains(), domain, hashes.of(domain));
  }

  @Nullable Object exact(Fork fork, String key, long keyHash, String value) {
    return edges.get(Hashes.head(exact(fork), keyHash, hashes.of(value)), key, value);
  }

  Wildcards wildcards(Fork fork, String key, long keyHash) {
    return unvalued(wild(fork), key, keyHash) instanceof Wildcards some ? some : Wildcards.NONE;
  }

  @Nullable Object bare(Fork fork, String key, long keyHash) {
    return unvalued(bare(fork), key, keyHash);
  }

  private @Nullable Object unvalued(long place, String key, long keyHash) {
    return edges.get(Hashes.head(place, keyHash, /* valueHash= */ 0), key, "");
  }

  /** Where exactly this level ends; null if nowhere. */
  @Nullable Object child(Fork fork, Level level) {
    Glob value = level.value();
    String key = level.key();
    long keyHash = hashes.of(key);
    if (value == null) {
      return bare(fork, key, keyHash);
    }
    return value.isExact()
        ? exact(fork, key, keyHash, value.exact())
        : wildcards(fork, key, keyHash).get(value);
  }
}
