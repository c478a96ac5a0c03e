package io.penstock.server;

import io.penstock.core.Clock;
import java.util.concurrent.Executor;

/**
 * The clock of a node: that of the process, but never before what was decided before a restart,
 * whatever happened to the wall clock in between. Thread-safe.
 */
final class RestartClock implements Clock {
  /*
   * A node that finds decisions of the future goes on from there: now = process + ahead, where ahead
   * shrinks by one part in 2048 of the time that passes. So rates are right at once, time never
   * stands still, and calendar windows come back to the wall clock, half a millisecond per second.
   */
  private static final int SHRINK_SHIFT = 11;

  private record Ahead(long fromNanos, long byNanos) {}

  private final Clock process;
  private volatile Ahead ahead = new Ahead(0, 0);

  RestartClock(Clock process) {
    this.process = process;
  }

  /** Lets no reading after this be before an instant. */
  void notBefore(long nanos) {
    long now = process.nanos();
    ahead = new Ahead(now, Math.max(0, nanos - now));
  }

  @Override
  public long nanos() {
    long now = process.nanos();
    Ahead current = ahead;
    long by = current.byNanos();
    return by == 0 ? now : now + Math.max(0, by - ((now - current.fromNanos()) >> SHRINK_SHIFT));
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    process.sleep(nanos);
  }

  @Override
  public Executor after(long nanos) {
    return process.after(nanos);
  }
}
