package io.penstock.shard;

import java.util.function.Consumer;

/** The log of a shard that lives in memory only: nothing is ever durable. Immutable. */
final class Unlogged implements ShardLog {
  @Override
  public void whenDurable(long generation, Consumer<Boolean> waiter) {
    waiter.accept(false);
  }

  @Override
  public boolean keepsUp(long nowNanos) {
    return false;
  }

  @Override
  public boolean isDurable() {
    return false;
  }

  @Override
  public String trouble() {
    return "data: none (expected: a folder; everything is in memory only)";
  }

  @Override
  public LogStats stats() {
    return LogStats.NONE;
  }

  @Override
  public void close() {}
}
