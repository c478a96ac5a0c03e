package io.penstock.shard;

/** The log of a shard that lives in memory only: nothing is ever durable. Immutable. */
final class Unlogged implements ShardLog {
  @Override
  public void whenDurable(Waiter waiter) {
    waiter.tell(false);
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
