package io.penstock.testkit;

import io.penstock.core.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A clock that moves only when it is told to, so that a test about time takes no time. Thread-safe.
 *
 * <pre>{@code
 * ManualClock clock = new ManualClock();
 * Limiter limiter = Limiter.builder().policy("5/s").clock(clock).build();
 * limiter.tryAcquire("key", 5);
 * clock.advance(Duration.ofMillis(200));
 * assertThat(limiter.isAllowed("key")).isTrue();
 * }</pre>
 *
 * <p>Whoever waits on this clock moves it: {@link #sleep} returns at once, with the clock so much
 * later. What was left to run {@link #after} some time runs, in the order of its time, on the
 * thread that moves the clock past it, and finds the clock at exactly its time. What is left to run
 * at once, as by a limiter that lets in who waits, runs with the next move, be it by nothing.
 */
public final class ManualClock implements Clock {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

  /** Something to run at a time; of two at the same time the older one is first. */
  private record Task(long at, long number, Runnable run) {}

  private final Object lock = new Object();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
  private long now;
  private long taskNumber;

  /** A clock that stands at the beginning of 2026, UTC. */
  public ManualClock() {
    this(FIRST);
  }

  /** A clock that stands at an instant. */
  public ManualClock(Instant start) {
    this.now = nanosOf(start);
  }

  @Override
  public long nanos() {
    synchronized (lock) {
      return now;
    }
  }

  /** Where the clock stands. */
  public Instant instant() {
    return Instant.ofEpochSecond(0, nanos());
  }

  /** Moves the clock to an instant, also to an earlier one: then nothing runs. */
  public void set(Instant instant) {
    setNanos(nanosOf(instant));
  }

  /** Moves the clock to an instant in nanoseconds since the epoch. */
  public void setNanos(long nanos) {
    synchronized (lock) {
      if (nanos < now) {
        now = nanos;
        return;
      }
    }
    runUntil(nanos);
  }

  /** Moves the clock forward. */
  public void advance(Duration by) {
    advanceNanos(by.toNanos());
  }

  /** Moves the clock forward by so many nanoseconds. */
  public void advanceNanos(long by) {
    if (by < 0) {
      throw new IllegalArgumentException("by: " + by + " (expected: >= 0)");
    }
    long goal;
    synchronized (lock) {
      goal = Math.addExact(now, by);
      if (tasks.isEmpty()) {
        now = goal;
        return;
      }
    }
    runUntil(goal);
  }

  /** Moves the clock forward and returns at once; throws if the thread is interrupted. */
  @Override
  public void sleep(long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    advanceNanos(Math.max(0, nanos));
  }

  @Override
  public Executor after(long nanos) {
    long at = Math.addExact(nanos(), Math.max(0, nanos));
    return run -> {
      synchronized (lock) {
        tasks.add(new Task(at, taskNumber++, run));
      }
    };
  }

  /** How many tasks wait for their time. */
  public int waiting() {
    synchronized (lock) {
      return tasks.size();
    }
  }

  private void runUntil(long goal) {
    for (Task task = nextUntil(goal); task != null; task = nextUntil(goal)) {
      task.run.run();
    }
  }

  /** The first task due by then, with the clock at its time; without one the clock at the goal. */
  private @Nullable Task nextUntil(long goal) {
    synchronized (lock) {
      Task first = tasks.peek();
      boolean due = first != null && first.at <= goal;
      now = Math.max(now, due ? first.at : goal);
      return due ? tasks.poll() : null;
    }
  }

  private static long nanosOf(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
  }
}
