package io.penstock.server.node;

import io.penstock.server.Packed;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a part of a check took whose other parts were decided elsewhere, as it is kept. Immutable.
 *
 * @param taken null if it was taken back, or will come after it was: it counts no more
 * @param request the hashes of its request id; null if it has none
 */
record Stake(@Nullable Holding taken, Keys.@Nullable Twin request) {
  static final Stake GONE = new Stake(/* taken= */ null, /* request= */ null);

  /** How many bytes it has at most before what was taken. */
  static final int HEAD_BYTES_MAX = 4 * Byte.BYTES + 2 * Long.BYTES;

  /* The first byte of what else is held says whether it is settled: 0 or 1. */
  private static final byte STAKE = 2;

  /**
   * What is held, kept as a stake or by itself, where time is ahead (R23).
   *
   * @param resets when a key was last reset there, by its hash
   */
  static byte[] later(byte[] note, long nanos, LongUnaryOperator resets) {
    if (note[1] != STAKE) {
      return Holding.read(note).later(nanos, resets).write();
    }
    Stake stake = read(note);
    Holding taken = stake.taken;
    return taken == null ? note : new Stake(taken.later(nanos, resets), stake.request).write();
  }

  byte[] write() {
    return Packed.write(
        out -> {
          out.writeByte(STAKE);
          out.writeBoolean(taken != null);
          out.writeBoolean(request != null);
          if (request != null) {
            out.writeLong(request.hash());
            out.writeLong(request.check());
          }
          if (taken != null) {
            out.write(taken.write());
          }
        });
  }

  static Stake read(byte[] bytes) {
    return Packed.read(
        bytes,
        in -> {
          int sort = in.readByte();
          if (sort != STAKE) {
            throw new IllegalStateException("stake: " + sort + " (expected: " + STAKE + ")");
          }
          boolean isTaken = in.readBoolean();
          Keys.Twin request = in.readBoolean() ? new Keys.Twin(in.readLong(), in.readLong()) : null;
          return new Stake(isTaken ? Holding.read(in.readAllBytes()) : null, request);
        });
  }
}
