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
  private static final Instant LAST = Instant.ofEpochSecond(0, Long.MAX_VALUE);

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
    this.now = nanosOf("start", start);
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
    setNanos(nanosOf("instant", instant));
  }

  /** Moves the clock to an instant in nanoseconds since the epoch. */
  public void setNanos(long nanos) {
    Checks.atLeastZero("nanos", nanos);
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
    boolean fits =
        Checks.given("by", by, "a duration").toSeconds() < Long.MAX_VALUE / NANOS_PER_SECOND;
    if (by.isNegative() || !fits) {
      throw Checks.bad("by", by, "PT0S.." + Duration.between(instant(), LAST));
    }
    advanceNanos(by.toNanos());
  }

  /** Moves the clock forward by so many nanoseconds. */
  public void advanceNanos(long by) {
    Checks.atLeastZero("by", by);
    long goal;
    synchronized (lock) {
      if (by > Long.MAX_VALUE - now) {
        throw Checks.bad("by", by, "0.." + (Long.MAX_VALUE - now));
      }
      goal = now + by;
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

  /* A task for ever is due when the clock ends: others may move it after the caller has read it. */
  @Override
  public Executor after(long nanos) {
    long now = nanos();
    long at = now + Math.max(0, Math.min(nanos, Long.MAX_VALUE - now));
    return run -> {
      Checks.given("run", run, "a task");
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

  private static long nanosOf(String name, Instant instant) {
    Checks.given(name, instant, "an instant");
    if (instant.isBefore(Instant.EPOCH) || instant.isAfter(LAST)) {
      throw Checks.bad(name, instant, Instant.EPOCH + ".." + LAST);
    }
    return instant.getEpochSecond() * NANOS_PER_SECOND + instant.getNano();
  }
}
