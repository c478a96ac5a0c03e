package io.penstock.core;

import io.penstock.core.algorithm.Arrears;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that repeats its latest reading when the clock behind it steps back. Thread-safe. */
final class MonotonicClock implements Clock {
  /** August 2184: no time of a limit is longer than what is left then, so that all sums fit. */
  static final long NANOS_MAX = Arrears.LATEST;

  private final Clock clock;
  private final AtomicLong latest = new AtomicLong();

  private MonotonicClock(Clock clock) {
    this.clock = clock;
    Checks.between("clock", clock.nanos(), 0, NANOS_MAX);
  }

  static Clock of(Clock clock) {
    return clock instanceof SystemClock || clock instanceof MonotonicClock
        ? clock
        : new MonotonicClock(clock);
  }

  boolean hasSourceOf(Clock other) {
    return other instanceof MonotonicClock that && that.clock == clock;
  }

  @Override
  public long nanos() {
    return nanosFrom(Math.min(clock.nanos(), NANOS_MAX));
  }

  /** What this clock says when its source has just said {@code now}. */
  long nanosFrom(long now) {
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
