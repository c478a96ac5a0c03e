package io.penstock.cli.remote;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * When a connection of a bench asks: as soon as it can, or so many times per second. Confined to
 * one thread.
 */
final class Pace {
  private final long intervalNanos;
  private final long startNanos = BenchClock.nanos();
  private long asked;

  private Pace(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** The pace of one of so many connections that ask so often together; 0 is as soon as it can. */
  static Pace of(long perSecond, int connections) {
    return new Pace(perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(connections) / perSecond);
  }

  boolean isFree() {
    return intervalNanos == 0;
  }

  /**
   * Waits until so many requests are due, and says since when they were: what a late answer makes
   * wait counts as waiting too.
   */
  long await(int requests) {
    if (isFree()) {
      return BenchClock.nanos();
    }
    long due = startNanos + intervalNanos * asked;
    asked += requests;
    for (long left = due - BenchClock.nanos(); left > 0; left = due - BenchClock.nanos()) {
      LockSupport.parkNanos(left);
    }
    return due;
  }
}
