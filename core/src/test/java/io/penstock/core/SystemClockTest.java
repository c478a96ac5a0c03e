package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wall time that never steps: what the wall clock does moves it by at most 500 ppm. */
class SystemClockTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final long MILLION = 1_000_000;

  private long ticks = 77;
  private long wall = START;
  private final SystemClock clock = new SystemClock(() -> ticks, () -> wall);

  private void pass(long nanos) {
    ticks += nanos;
    wall += nanos;
  }

  @Test
  void nanos_atStart_isWallTime() {
    assertThat(clock.nanos()).isEqualTo(START);
    pass(123);
    assertThat(clock.nanos()).isEqualTo(START + 123);
  }

  @Test
  void nanos_everyTick_isNextOnTheLine() {
    wall += HOUR;
    pass(SECOND + 1);
    clock.nanos();
    long start = ticks;
    long first = clock.nanos();
    for (int i = 1; i <= 1_000; i++) {
      pass(1);
      long slewed = ((ticks - start) * SystemClock.RATE_MAX) >> 20;
      assertThat(clock.nanos()).isEqualTo(first + i + slewed);
    }
  }

  @Test
  void nanos_readingFromBeforeTheLine_standsAtItsStart() {
    pass(SECOND + 1);
    long start = clock.nanos();
    ticks -= 5;
    assertThat(clock.nanos()).isEqualTo(start);
  }

  @ParameterizedTest
  @ValueSource(longs = {HOUR, -HOUR, 24 * HOUR, -24 * HOUR, 20_000 * HOUR, -400_000 * HOUR})
  void nanos_wallStepped_slewsTowardsItAndNeverBack(long step) {
    pass(2 * SECOND);
    long before = clock.nanos();
    wall += step;
    long start = ticks;
    long latest = before;
    for (int i = 0; i < 10_000; i++) {
      pass(SECOND / 10);
      long now = clock.nanos();
      assertThat(now).isGreaterThanOrEqualTo(latest);
      latest = now;
    }
    long elapsed = ticks - start;
    long moved = latest - before - elapsed;
    assertThat(Math.abs(moved)).isLessThanOrEqualTo(elapsed * 500 / MILLION);
    assertThat(Long.signum(moved)).as("towards the wall clock").isEqualTo(Long.signum(step));
    assertThat(Math.abs(moved)).isGreaterThan(elapsed * 400 / MILLION);
  }

  @ParameterizedTest
  @ValueSource(longs = {10_000_000, -10_000_000})
  void nanos_smallDifference_isCaughtUpAndStays(long step) {
    wall += step;
    for (int i = 0; i < 1_000; i++) {
      pass(SECOND / 10);
      clock.nanos();
    }
    assertThat(clock.nanos()).isCloseTo(wall, within(MILLION));
  }

  @Test
  void nanos_nobodyReadsForADay_isStillMonotonicTime() {
    wall += HOUR;
    pass(SECOND + 1);
    long before = clock.nanos();
    pass(24 * HOUR);
    assertThat(clock.nanos() - before - 24 * HOUR).isBetween(0L, SECOND * 500 / MILLION);
  }

  @Property
  void nanos_wallJumpsAsItLikes_neverRunsBackwardsOrMoreThan500PpmOff(
      @ForAll @Size(100) List<@LongRange(min = -10 * HOUR, max = 10 * HOUR) Long> jumps,
      @ForAll @LongRange(min = 1, max = 3 * SECOND) long pause) {
    long latest = clock.nanos();
    for (long jump : jumps) {
      wall += jump;
      pass(pause);
      long now = clock.nanos();
      assertThat(now - latest - pause).isBetween(-slew(pause), slew(pause));
      assertThat(now).isGreaterThanOrEqualTo(latest);
      latest = now;
    }
  }

  private static long slew(long nanos) {
    return nanos * 500 / MILLION + 2;
  }

  @Test
  void shared_now_isCloseToTheWallClock() {
    long difference = Clock.system().nanos() - System.currentTimeMillis() * MILLION;
    assertThat(Math.abs(difference)).isLessThan(60 * SECOND);
  }
}
