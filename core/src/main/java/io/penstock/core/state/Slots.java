package io.penstock.core.state;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;

/**
 * The first word of a slot: 50 bits of the key's hash, 2 bits for the kind, 12 for the rule.
 *
 * <p>0 is an empty slot. The low bits of the hash are not stored: they choose the stripe.
 */
final class Slots {
  static final int PER_PAGE = 4;
  static final int WORDS = 2;

  /** Only {@code until}, in one slot. */
  static final int ONE = 0;

  /** Three words, in two slots. */
  static final int THREE = 1;

  /** Three words in two slots, the last of which names a block. */
  static final int LOG = 2;

  private static final int RULE_BITS = 12;
  private static final int TAG_SHIFT = 14;

  /** A slot does not keep the bits of a hash that choose among so many stripes. */
  static final int STRIPES_MAX = 1 << TAG_SHIFT;

  private static final long RULE_MASK = (1L << RULE_BITS) - 1;
  private static final long LOW_MASK = (1L << TAG_SHIFT) - 1;

  private Slots() {}

  static long header(long hash, int kind, int rule) {
    return tag(hash) | ((long) kind << RULE_BITS) | rule;
  }

  /** The bits of a hash that a slot keeps. */
  static long tag(long hash) {
    return hash & ~LOW_MASK;
  }

  /** A hash that no empty or given-up slot can be taken for. */
  static long normal(long hash) {
    return hash >>> TAG_SHIFT == 0 ? hash | 1L << TAG_SHIFT : hash;
  }

  static boolean matches(long header, long hash) {
    return (header ^ hash) >>> TAG_SHIFT == 0;
  }

  /** The kind of slot that states of an algorithm need. */
  static int kind(Algorithm algorithm, Limit limit) {
    return switch (algorithm.shape(limit)) {
      case ONE_WORD -> ONE;
      case THREE_WORDS -> THREE;
      case LOG -> LOG;
    };
  }

  static int kind(long header) {
    return (int) (header >>> RULE_BITS) & 3;
  }

  static boolean isWide(long header) {
    return (header >>> RULE_BITS & 3) != 0;
  }

  static int rule(long header) {
    return (int) (header & RULE_MASK);
  }

  /** The hash, as far as the stripe and the slot know it: enough to find the slot again. */
  static long hash(long header, int stripe) {
    return tag(header) | stripe;
  }

  /** A slot that nobody has any more but that must not look empty to a search. */
  static long givenUp(int kind) {
    return (long) kind << RULE_BITS | Rules.NOBODY;
  }

  /** The page a search starts at, of so many; taken from bits that neither stripe nor shard use. */
  static int home(long hash, int pages) {
    return (int) ((((hash >>> 20) & 0xFFFF_FFFFL) * pages) >>> 32);
  }
}
