package io.penstock.server.node;

import java.nio.ByteBuffer;

/**
 * A piece of what moves with a shard from one group to another (R23). Immutable.
 *
 * @param number of the move
 * @param attempt tells one try from another
 * @param index of the piece, from 0; what it follows must be there
 * @param last whether it is the last one
 * @param checksum of it and all before it
 * @param atNanos the time where it comes from: of the first piece when that was sent, by which all
 *     pieces of the attempt are shifted; of the others when the shard was frozen, for whoever was
 *     not told by the first. 0 if it is not told
 * @param records what is in it; the first piece is empty, and only asks for room
 */
public record Cargo(
    int shard,
    long number,
    long attempt,
    int index,
    boolean last,
    long checksum,
    long atNanos,
    ByteBuffer records) {

  /** A copy of what is in it. */
  public byte[] bytes() {
    byte[] bytes = new byte[records.remaining()];
    records.duplicate().get(bytes);
    return bytes;
  }

  /** What became of a piece. */
  public enum Landing {
    /** It is kept; the next one may come. */
    NEXT,
    /** All is there and kept. */
    READY,
    /** It does not follow what is there: the first one is to come again. */
    AGAIN,
    /** It cannot be taken. */
    REFUSED
  }
}
