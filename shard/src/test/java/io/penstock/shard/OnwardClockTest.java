package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Time goes on after a restart, whatever the wall clock says. */
class OnwardClockTest {
  private final ManualClock wall = new ManualClock();
  private final OnwardClock clock = new OnwardClock(wall);

  @Test
  void nanos_clockIsBehind_goesOnFromThereAtItsSpeed() {
    long then = wall.nanos() + 1_000;
    clock.goOnFrom(then);
    assertThat(clock.nanos()).isEqualTo(then);
    assertThat(clock.aheadNanos()).isEqualTo(1_000);
    wall.advance(Duration.ofNanos(5));
    assertThat(clock.nanos()).isEqualTo(then + 5);
  }

  @Test
  void nanos_clockIsAhead_isThatClock() {
    clock.goOnFrom(wall.nanos() - 1);
    assertThat(clock.nanos()).isEqualTo(wall.nanos());
    assertThat(clock.aheadNanos()).isZero();
  }
}
