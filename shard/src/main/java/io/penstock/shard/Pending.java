package io.penstock.shard;

/**
 * Records that wait for the frame of their generation. Confined to whoever holds the lock of the
 * part they belong to.
 */
final class Pending {
  /* Two generations are open at most (Generations), so a bit tells them apart. */
  private static final int BYTES_MAX = 4 << 20;

  private final Bytes[] open = {new Bytes(BYTES_MAX, false), new Bytes(BYTES_MAX, false)};

  Bytes of(long generation) {
    return open[(int) generation & 1];
  }
}
