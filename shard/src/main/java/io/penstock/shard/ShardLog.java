package io.penstock.shard;

import org.jspecify.annotations.Nullable;

/** What makes the decisions of a shard durable. Thread-safe. */
interface ShardLog extends AutoCloseable {
  /** Tells somebody when everything decided before this call is durable (R5). */
  void whenDurable(Waiter waiter);

  /** Whether what is decided becomes durable. */
  boolean isDurable();

  /** What is wrong, or null. */
  @Nullable String trouble();

  LogStats stats();

  /** Makes everything durable and stops. */
  @Override
  void close();
}
