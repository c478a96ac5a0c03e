package io.penstock.server.cluster;

import io.penstock.core.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Ends what is due, at most a millisecond late: one timer for all who wait. Thread-safe. */
final class Timeouts {
  /*
   * Nearly all are over long before they are due, and nobody takes them out: that would cost each
   * of them as much as putting it in. The timer is set to the first that is not over; when it
   * comes, all before the next such one go together. So while answers come in time, it comes once
   * per budget, not once per question.
   */
  private static final Logger LOG = System.getLogger(Timeouts.class.getName());
  private static final int WAITING_MAX = 1 << 17;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Something that waits, but not longer than until some time. */
  interface Waiting {
    /** Whether it does not wait any more. */
    boolean isOver();

    /** Its time has come; it may be over meanwhile. */
    void expire();
  }

  private final Clock clock;

  /** Who is due, by the tick in which that is. */
  private final TreeMap<Long, List<Waiting>> ticks = new TreeMap<>();

  private int count;
  private long armedTick = Long.MAX_VALUE;

  /* Those who come one after the other are mostly due in the same tick. */
  private long lastTick = Long.MIN_VALUE;
  private List<Waiting> lastDue = List.of();

  Timeouts(Clock clock) {
    this.clock = clock;
  }

  /** Ends something at a time; false if too many wait already. */
  synchronized boolean add(long atNanos, Waiting waiting) {
    if (count >= WAITING_MAX) {
      sweep();
      if (count >= WAITING_MAX) {
        return false;
      }
    }
    long tick = -Math.floorDiv(-atNanos, TICK_NANOS);
    if (tick != lastTick) {
      lastTick = tick;
      lastDue = ticks.computeIfAbsent(tick, unused -> new ArrayList<>());
    }
    lastDue.add(waiting);
    count++;
    if (tick < armedTick) {
      arm(tick);
    }
    return true;
  }

  private void arm(long tick) {
    armedTick = tick;
    clock.after(Math.max(0, tick * TICK_NANOS - clock.nanos())).execute(() -> fire(tick));
  }

  /** Takes away those who are over, up to the first tick in which one is not. */
  private void sweep() {
    while (!ticks.isEmpty()) {
      List<Waiting> first = ticks.firstEntry().getValue();
      int before = first.size();
      first.removeIf(Waiting::isOver);
      count -= before - first.size();
      if (!first.isEmpty()) {
        return;
      }
      removeFirst();
    }
  }

  private List<Waiting> removeFirst() {
    Map.Entry<Long, List<Waiting>> first = ticks.pollFirstEntry();
    if (first.getKey() == lastTick) {
      lastTick = Long.MIN_VALUE;
    }
    count -= first.getValue().size();
    return first.getValue();
  }

  private void fire(long tick) {
    List<Waiting> due = new ArrayList<>();
    synchronized (this) {
      if (tick != armedTick) {
        return; // another timer was set for sooner, and has set the next
      }
      long now = Math.floorDiv(clock.nanos(), TICK_NANOS);
      while (!ticks.isEmpty() && ticks.firstKey() <= now) {
        removeFirst().stream().filter(each -> !each.isOver()).forEach(due::add);
      }
      sweep();
      armedTick = Long.MAX_VALUE;
      if (!ticks.isEmpty()) {
        arm(ticks.firstKey());
      }
    }
    for (Waiting each : due) {
      try {
        each.expire();
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "what was due failed", e);
      }
    }
  }
}
