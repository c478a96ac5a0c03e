package io.penstock.shard;

import io.penstock.core.Clock;

/** Log time during one term: from where it begins, at the speed of another clock. Immutable. */
final class TermClock implements Clock {
  private final Clock clock;
  private final long aheadNanos;

  TermClock(Clock clock, long beginNanos) {
    this.clock = clock;
    this.aheadNanos = beginNanos - clock.nanos();
  }

  @Override
  public long nanos() {
    return clock.nanos() + aheadNanos;
  }
}
