package io.penstock.bench;

import io.penstock.core.Clock;
import java.util.concurrent.locks.LockSupport;

/**
 * The system clock as of at most about a millisecond ago: reading it reads a field. Thread-safe.
 */
final class TickerClock implements Clock, AutoCloseable {
  private static final long TICK_NANOS = 500_000;

  private volatile long nanos = Clock.system().nanos();
  private volatile boolean closed;

  private TickerClock() {}

  static TickerClock start() {
    TickerClock clock = new TickerClock();
    Thread thread = new Thread(clock::tick, "ticker");
    thread.setDaemon(true);
    thread.start();
    return clock;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public void close() {
    closed = true;
  }

  private void tick() {
    while (!closed) {
      LockSupport.parkNanos(TICK_NANOS);
      nanos = Clock.system().nanos();
    }
  }
}
