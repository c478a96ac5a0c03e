package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeoutsTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long START = 1_000 * MILLI;

  /** Stands still, and counts its timers. */
  private static final class CountingClock implements Clock {
    private final PriorityQueue<Long> timers = new PriorityQueue<>();
    private final List<Runnable> tasks = new ArrayList<>();
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
        timers.add(nanos + afterNanos);
        tasks.add(task);
      };
    }

    void goOnTo(long end) {
      while (!timers.isEmpty() && timers.peek() <= end) {
        nanos = Math.max(nanos, timers.remove());
        tasks.remove(0).run();
      }
      nanos = end;
    }
  }

  private final CountingClock clock = new CountingClock();
  private final Timeouts timeouts = new Timeouts(clock);
  private final List<Integer> run = new ArrayList<>();

  @Test
  void add_anyOrder_runsInOrderWhenDue() {
    timeouts.add(START + 30 * MILLI, () -> run.add(30));
    timeouts.add(START + 10 * MILLI, () -> run.add(10));
    clock.goOnTo(START + 9 * MILLI);
    assertThat(run).isEmpty();
    clock.goOnTo(START + 10 * MILLI);
    assertThat(run).containsExactly(10);
    clock.goOnTo(START + 30 * MILLI);
    assertThat(run).containsExactly(10, 30);
  }

  @Test
  void add_manyWithinAMilli_shareATimer() {
    for (int i = 0; i < 1_000; i++) {
      int each = i;
      timeouts.add(START + 50 * MILLI + i * MILLI / 100, () -> run.add(each));
    }
    clock.goOnTo(START + 61 * MILLI);
    assertThat(run).hasSize(1_000).isSorted();
    assertThat(clock.made).isLessThanOrEqualTo(12);
  }

  @Test
  void add_taskThatFails_othersRun() {
    timeouts.add(
        START,
        () -> {
          throw new IllegalStateException("on purpose");
        });
    timeouts.add(START, () -> run.add(1));
    clock.goOnTo(START + 2 * MILLI);
    assertThat(run).containsExactly(1);
  }
}
