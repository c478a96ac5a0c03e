package io.penstock.core;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that repeats its latest reading when the clock behind it steps back. Thread-safe. */
final class MonotonicClock implements Clock {
  private final Clock clock;
  private final AtomicLong latest = new AtomicLong();

  private MonotonicClock(Clock clock) {
    this.clock = clock;
  }

  static Clock of(Clock clock) {
    return clock instanceof SystemClock || clock instanceof MonotonicClock
        ? clock
        : new MonotonicClock(clock);
  }

  @Override
  public long nanos() {
    long now = clock.nanos();
    long seen = latest.get();
    while (now > seen) {
      if (latest.compareAndSet(seen, now)) {
        return now;
      }
      seen = latest.get();
    }
    return seen;
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    clock.sleep(nanos);
  }

  @Override
  public Executor after(long nanos) {
    return clock.after(nanos);
  }
}
