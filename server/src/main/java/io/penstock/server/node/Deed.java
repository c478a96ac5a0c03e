package io.penstock.server.node;

import io.penstock.server.Packed;

/**
 * What the log of a group says of a shard that was ever to be moved (R23). Immutable.
 *
 * @param number of the move, and the generation of the shard if it is open
 * @param atNanos when that was, in the time of the group
 */
record Deed(Sort sort, long number, long atNanos) {
  /** Whether and how the group has the shard. */
  enum Sort {
    /** It decides. */
    OPEN,
    /** It decides no more: what it has decided moves to another group. */
    FROZEN,
    /** Some of what another group has decided is here. */
    ARRIVING,
    /** All of it is. */
    READY,
    /** It does not have the shard any more. */
    GONE
  }

  boolean is(Sort other) {
    return sort == other;
  }

  boolean is(Sort other, long move) {
    return sort == other && number == move;
  }

  /** Whether all that a move brings is here. */
  boolean hasArrived(long move) {
    return is(Sort.READY, move) || is(Sort.OPEN, move);
  }

  byte[] write() {
    return Packed.write(
        out -> {
          out.writeUTF(sort.name());
          out.writeLong(number);
          out.writeLong(atNanos);
        });
  }

  static Deed read(byte[] bytes) {
    return Packed.read(
        bytes, in -> new Deed(Sort.valueOf(in.readUTF()), in.readLong(), in.readLong()));
  }
}
