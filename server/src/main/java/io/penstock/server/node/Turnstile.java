package io.penstock.server.node;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the decisions on each shard. Thread-safe.
 *
 * <p>A thread adds to the counters of its own gate, which it shares with few others if any, so that
 * counting is one add to memory that no other core writes: no lock, no object, nothing to wait for.
 */
final class Turnstile {
  private static final int GATES = 16;

  private final AtomicLongArray counts = new AtomicLongArray(GATES * Signature.SHARDS);

  /** A key of this hash was decided on. */
  void pass(long hash) {
    int gate = (int) Thread.currentThread().getId() & (GATES - 1);
    counts.getAndIncrement(gate * Signature.SHARDS + Signature.shard(hash));
  }

  /** How many decisions there were on a shard. */
  long passed(int shard) {
    long sum = 0;
    for (int gate = 0; gate < GATES; gate++) {
      sum += counts.get(gate * Signature.SHARDS + shard);
    }
    return sum;
  }
}
