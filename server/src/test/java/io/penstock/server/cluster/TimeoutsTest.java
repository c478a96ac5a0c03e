package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeoutsTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long START = 1_000 * MILLI;

  private record Timer(long atNanos, Runnable task) {}

  /** Stands still, and counts its timers. */
  private static final class CountingClock implements Clock {
    private final PriorityQueue<Timer> timers =
        new PriorityQueue<>(Comparator.comparingLong(Timer::atNanos));
    private long nanos = START;
    private int made;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public Executor after(long afterNanos) {
      return task -> {
        made++;
        timers.add(new Timer(nanos + afterNanos, task));
      };
    }

    void goOnTo(long end) {
      while (!timers.isEmpty() && timers.peek().atNanos <= end) {
        Timer timer = timers.remove();
        nanos = Math.max(nanos, timer.atNanos);
        timer.task.run();
      }
      nanos = end;
    }
  }

  /** Notes when it ends. */
  private final class Guest implements Timeouts.Waiting {
    private final int number;
    private boolean isOver;

    Guest(int number) {
      this.number = number;
    }

    @Override
    public boolean isOver() {
      return isOver;
    }

    @Override
    public void expire() {
      run.add(number);
    }
  }

  private final CountingClock clock = new CountingClock();
  private final Timeouts timeouts = new Timeouts(clock);
  private final List<Integer> run = new ArrayList<>();

  @Test
  void add_anyOrder_runsInOrderWhenDue() {
    timeouts.add(START + 30 * MILLI, new Guest(30));
    timeouts.add(START + 10 * MILLI, new Guest(10));
    clock.goOnTo(START + 9 * MILLI);
    assertThat(run).isEmpty();
    clock.goOnTo(START + 10 * MILLI);
    assertThat(run).containsExactly(10);
    clock.goOnTo(START + 30 * MILLI);
    assertThat(run).containsExactly(10, 30);
  }

  @Test
  void add_betweenTicks_runsWithinAMilli() {
    timeouts.add(START + 10 * MILLI + 1, new Guest(1));
    clock.goOnTo(START + 10 * MILLI);
    assertThat(run).isEmpty();
    clock.goOnTo(START + 11 * MILLI);
    assertThat(run).containsExactly(1);
  }

  @Test
  void add_manyWithinAMilli_shareATimer() {
    for (int i = 0; i < 1_000; i++) {
      timeouts.add(START + 50 * MILLI + i * MILLI / 100, new Guest(i));
    }
    clock.goOnTo(START + 61 * MILLI);
    assertThat(run).hasSize(1_000).isSorted();
    assertThat(clock.made).isLessThanOrEqualTo(12);
  }

  @Test
  void add_thoseWhoAreOverInTime_takeOneTimerPerBudget() {
    for (int i = 0; i < 1_000; i++) {
      Guest guest = new Guest(i);
      timeouts.add(clock.nanos + 250 * MILLI, guest);
      clock.goOnTo(clock.nanos + MILLI);
      guest.isOver = true;
    }
    assertThat(run).isEmpty();
    assertThat(clock.made).isLessThanOrEqualTo(5);
  }

  @Test
  void add_soonerThanAllBefore_doesNotMultiplyTimers() {
    for (int i = 0; i < 100; i++) {
      timeouts.add(START + (200 - i) * MILLI, new Guest(i));
    }
    clock.goOnTo(START + 101 * MILLI);
    int made = clock.made;
    clock.goOnTo(START + 200 * MILLI);
    assertThat(run).hasSize(100);
    assertThat(clock.made - made).isLessThanOrEqualTo(100);
  }

  @Test
  void add_tooMany_refusesOnlyWhileTheyWait() {
    List<Guest> guests = new ArrayList<>();
    for (int i = 0; i < 1 << 17; i++) {
      Guest guest = new Guest(i);
      guests.add(guest);
      assertThat(timeouts.add(START + 50 * MILLI, guest)).isTrue();
    }
    assertThat(timeouts.add(START + 50 * MILLI, new Guest(-1))).isFalse();
    guests.forEach(guest -> guest.isOver = true);
    assertThat(timeouts.add(START + 50 * MILLI, new Guest(-2))).isTrue();
    clock.goOnTo(START + 50 * MILLI);
    assertThat(run).containsExactly(-2);
  }

  @Test
  void expire_thatFails_othersRun() {
    timeouts.add(
        START,
        new Timeouts.Waiting() {
          @Override
          public boolean isOver() {
            return false;
          }

          @Override
          public void expire() {
            throw new IllegalStateException("on purpose");
          }
        });
    timeouts.add(START, new Guest(1));
    clock.goOnTo(START + 2 * MILLI);
    assertThat(run).containsExactly(1);
  }
}
