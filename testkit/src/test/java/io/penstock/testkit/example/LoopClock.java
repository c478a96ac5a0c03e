package io.penstock.testkit.example;

import io.penstock.core.Clock;

/** The time of one turn of an event loop: read once, for all checks of that turn. Thread-safe. */
public final class LoopClock implements Clock {
  private final Clock clock;
  private volatile long nanos;

  public LoopClock(Clock clock) {
    this.clock = clock;
    nextTurn();
  }

  /** Reads the time; the loop calls this at the beginning of each turn. */
  public void nextTurn() {
    nanos = clock.nanos();
  }

  @Override
  public long nanos() {
    return nanos;
  }
}
