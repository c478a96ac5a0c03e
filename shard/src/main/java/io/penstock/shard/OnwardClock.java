package io.penstock.shard;

import io.penstock.core.Clock;

/**
 * A clock that goes on from a time, should the clock under it be behind that: a restart never goes
 * back in time. Thread-safe.
 */
final class OnwardClock implements Clock {
  private final Clock clock;
  private volatile long aheadNanos;

  OnwardClock(Clock clock) {
    this.clock = clock;
  }

  /** Goes on from a time, at the speed of the clock under it. */
  void goOnFrom(long nanos) {
    aheadNanos = Math.max(0, nanos - clock.nanos());
  }

  @Override
  public long nanos() {
    return clock.nanos() + aheadNanos;
  }

  /** How far it is ahead of the clock under it. */
  long aheadNanos() {
    return aheadNanos;
  }
}
