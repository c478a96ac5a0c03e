package io.penstock.cluster;

import io.penstock.core.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * What time it is on this node, as the others are told (R15). Thread-safe.
 *
 * <p>It goes on steadily from what the wall clock said at the start, so that a step of that makes
 * nobody believe in another time. Only a wall clock that agrees with the others while this one does
 * not is believed: a node that was started with a wrong clock is on time once that is set right.
 */
final class NodeClock {
  private final Clock steady;
  private final InstantSource wall;
  private volatile long setNanos;

  NodeClock(Clock steady, InstantSource wall) {
    this.steady = steady;
    this.wall = wall;
  }

  long nanos() {
    return steadyNanos() + setNanos;
  }

  /** How far it was set ahead of where it began. */
  long setNanos() {
    return setNanos;
  }

  /** The same without that: for spans. */
  long steadyNanos() {
    return steady.nanos();
  }

  /**
   * Sets this by the wall clock, if that is no further than allowed from the time of the others.
   */
  void setIfWallAgrees(long othersNanos, long apartNanosMax) {
    Instant now = wall.instant();
    long wallNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    if (Math.abs(wallNanos - othersNanos) <= apartNanosMax) {
      setNanos = wallNanos - steadyNanos();
    }
  }
}
