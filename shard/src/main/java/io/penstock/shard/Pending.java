package io.penstock.shard;

import java.util.function.LongSupplier;

/**
 * Records that wait for the frame of their generation. Confined to whoever holds the lock of the
 * part they belong to.
 */
final class Pending {
  /* One generation is written while the next one goes on: a bit tells them apart. */
  private static final int BYTES_MAX = 4 << 20;

  private final Bytes[] open = {new Bytes(BYTES_MAX, false), new Bytes(BYTES_MAX, false)};
  private final LongSupplier generation;

  Pending(LongSupplier generation) {
    this.generation = generation;
  }

  /** Where the generation that has not ended gathers. */
  Bytes now() {
    return of(generation.getAsLong());
  }

  /** Where a generation that has ended has gathered. */
  Bytes of(long ended) {
    return open[(int) ended & 1];
  }
}
