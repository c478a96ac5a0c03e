package io.penstock.cli.cluster;

import io.penstock.core.Clock;
import io.penstock.testkit.ManualClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * The clocks of one test after the other, on servers whose time never goes back: each clock is
 * shifted behind all that was before, by whole days, so that windows begin when they would.
 * Confined to one thread.
 */
final class ShiftedTime {
  private final SteppedTime time;
  private long latestNanos;

  /** One clock, and by how much the servers are ahead of it. Thread-safe. */
  final class Shift {
    private final ManualClock clock;
    private final long nanos;

    private Shift(ManualClock clock, long nanos) {
      this.clock = clock;
      this.nanos = nanos;
    }

    boolean isOf(Clock other) {
      return clock == other;
    }

    ManualClock clock() {
      return clock;
    }

    Instant of(Instant instant) {
      return instant.plusNanos(nanos);
    }

    /** Steps the servers to where the clock stands. */
    void step() {
      stepTo(clock.nanos() + nanos);
    }
  }

  ShiftedTime(SteppedTime time, long nanos) {
    this.time = time;
    this.latestNanos = nanos;
  }

  private synchronized void stepTo(long nanos) {
    latestNanos = Math.max(latestNanos, nanos);
    time.stepTo(nanos);
  }

  /** A clock from here on; in winter, if windows have zones: there clocks change. */
  synchronized Shift shift(ManualClock clock, boolean hasZones) {
    Instant start = instant(clock.nanos());
    Instant after = instant(latestNanos);
    Instant day = after.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    if (hasZones) {
      int year = after.atOffset(ZoneOffset.UTC).getYear() + 1;
      day = Instant.parse(year + "-01-01T00:00:00Z");
    }
    return new Shift(clock, ChronoUnit.NANOS.between(start.truncatedTo(ChronoUnit.DAYS), day));
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }
}
