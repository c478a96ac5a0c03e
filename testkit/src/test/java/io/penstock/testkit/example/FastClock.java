package io.penstock.testkit.example;

import io.penstock.core.Clock;
import java.util.concurrent.Executor;

/** Another clock, so many times faster: a day of limits shown in a minute. Thread-safe. */
public final class FastClock implements Clock {
  private final Clock clock;
  private final long startNanos;
  private final long times;

  public FastClock(Clock clock, long times) {
    this.clock = clock;
    this.startNanos = clock.nanos();
    this.times = times;
  }

  @Override
  public long nanos() {
    return startNanos + (clock.nanos() - startNanos) * times;
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    clock.sleep(slow(nanos));
  }

  @Override
  public Executor after(long nanos) {
    return clock.after(slow(nanos));
  }

  private long slow(long nanos) {
    return -Math.floorDiv(-nanos, times);
  }
}
