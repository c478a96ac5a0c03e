package io.penstock.core;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A clock that stands, except while somebody sleeps to whom nothing happens. Confined to a test.
 */
final class StillClock implements Clock {
  record Task(long after, Runnable run) {}

  /** What happens to those who sleep, one after the other; it ends their sleep. */
  final Deque<Runnable> events = new ArrayDeque<>();

  final List<Long> sleeps = new ArrayList<>();
  final List<Task> tasks = new ArrayList<>();
  Runnable onReading = () -> {};
  long now = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000;

  @Override
  public long nanos() {
    onReading.run();
    return now;
  }

  @Override
  public void sleep(long nanos) {
    sleeps.add(nanos);
    Runnable event = events.poll();
    if (event == null) {
      now += nanos;
    } else {
      event.run();
    }
  }

  @Override
  public Executor after(long nanos) {
    return run -> tasks.add(new Task(nanos, run));
  }

  /** Runs what is to run at once. */
  void turn() {
    List<Task> due = tasks.stream().filter(task -> task.after == 0).toList();
    tasks.removeAll(due);
    due.forEach(task -> task.run.run());
  }

  /** Runs what was left last, at its time. */
  void runLatest() {
    Task latest = tasks.remove(tasks.size() - 1);
    now += latest.after;
    latest.run.run();
  }

  /** Lets something happen at one of the readings from now on. */
  void atReading(int number, Runnable event) {
    int[] readings = {0};
    onReading =
        () -> {
          readings[0]++;
          if (readings[0] == number) {
            event.run();
          }
        };
  }
}
