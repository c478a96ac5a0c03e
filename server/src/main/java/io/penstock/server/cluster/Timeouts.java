package io.penstock.server.cluster;

import io.penstock.core.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Runs what is due, at most a millisecond late: one timer for all who wait. Thread-safe. */
final class Timeouts {
  private static final Logger LOG = System.getLogger(Timeouts.class.getName());

  /* Those who were answered stay until their time; so this is what is asked within a budget. */
  private static final int WAITING_MAX = 1 << 17;

  /* A timer for each of those who wait would cost more than their questions. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private record Due(long atNanos, Runnable task) {}

  private final Clock clock;
  private final PriorityQueue<Due> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Due::atNanos));
  private long armedNanos = Long.MAX_VALUE;
  private long firedNanos;

  Timeouts(Clock clock) {
    this.clock = clock;
  }

  /** Runs something at a time; false if too many wait already. */
  synchronized boolean add(long atNanos, Runnable task) {
    if (waiting.size() >= WAITING_MAX) {
      return false;
    }
    waiting.add(new Due(atNanos, task));
    arm();
    return true;
  }

  private void arm() {
    Due first = waiting.peek();
    if (first == null) {
      return;
    }
    long atNanos = Math.max(first.atNanos, firedNanos + PAUSE_NANOS);
    if (atNanos < armedNanos) {
      armedNanos = atNanos;
      clock.after(Math.max(0, atNanos - clock.nanos())).execute(this::fire);
    }
  }

  private void fire() {
    List<Due> due = new ArrayList<>();
    synchronized (this) {
      long now = clock.nanos();
      for (Due first = waiting.peek();
          first != null && first.atNanos <= now;
          first = waiting.peek()) {
        due.add(first);
        waiting.remove();
      }
      armedNanos = Long.MAX_VALUE;
      firedNanos = now;
      arm();
    }
    for (Due each : due) {
      try {
        each.task.run();
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "what was due failed", e);
      }
    }
  }
}
