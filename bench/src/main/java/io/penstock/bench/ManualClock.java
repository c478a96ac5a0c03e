package io.penstock.bench;

import io.penstock.core.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when told to. Thread-safe. */
final class ManualClock implements Clock {
  private static final long START_NANOS = 1_000_000_000_000L;

  private final AtomicLong nanos = new AtomicLong(START_NANOS);

  @Override
  public long nanos() {
    return nanos.get();
  }

  void advance(long byNanos) {
    nanos.addAndGet(byNanos);
  }
}
