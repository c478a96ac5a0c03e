package io.penstock.cli.simulate;

import io.penstock.core.Clock;

/** Time that stands still until it is set. Confined to the thread that simulates. */
final class VirtualClock implements Clock {
  private long nanos;

  VirtualClock(long nanos) {
    this.nanos = nanos;
  }

  void set(long nanos) {
    this.nanos = nanos;
  }

  @Override
  public long nanos() {
    return nanos;
  }
}
