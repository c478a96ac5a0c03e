package io.penstock.shard;

/** Who waits until everything decided so far is durable. */
@FunctionalInterface
public interface Waiter {
  /**
   * Called once, on the thread of the log, which must not be kept: durable now, or false if that
   * cannot be had because the disk is away.
   */
  void tell(boolean isDurable);
}
