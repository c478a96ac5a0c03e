package io.penstock.shard;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What makes the decisions of a shard durable. Thread-safe. */
interface ShardLog extends AutoCloseable {
  /** Tells somebody when a generation and all before it are durable, or false if they cannot be. */
  void whenDurable(long generation, Consumer<Boolean> waiter);

  /**
   * Whether what is answered at once becomes durable in time; waits a little if that is late.
   *
   * @param nowNanos when it was decided
   */
  boolean keepsUp(long nowNanos);

  /** Whether what is decided becomes durable. */
  boolean isDurable();

  /**
   * Whether others keep what is decided, and may decide after it: then what was not kept is
   * unknown, and not in memory (R4).
   */
  default boolean isReplicated() {
    return false;
  }

  /** What is wrong, or null. */
  @Nullable String trouble();

  LogStats stats();

  /** Makes everything durable and stops. */
  @Override
  void close();
}
