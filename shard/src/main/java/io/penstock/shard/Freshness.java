package io.penstock.shard;

import io.penstock.core.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How far what is written is behind what is decided (R14). Thread-safe. */
final class Freshness {
  private static final Logger LOG = System.getLogger(Freshness.class.getName());

  /*
   * What is answered at once must be written within 25 ms. The writer sees to that every few
   * milliseconds, unless it gets no core or the disk is slow. So whoever decides looks when all
   * before him was written last, and if that is too long ago, he waits for the writer, who also
   * gets his core by that. He waits but for a short time: a disk that hangs must not stop deciding.
   * Then nobody waits any more until the writer is quick again.
   */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private volatile long writtenTo;
  private volatile boolean behind;

  Freshness(Clock clock) {
    this.clock = clock;
    this.writtenTo = clock.nanos();
  }

  /** Everything that was decided before an instant is written, or given up. */
  void advance(long toNanos) {
    lock.lock();
    try {
      writtenTo = toNanos;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The writer is done with what it began at an instant. */
  void done(long begunNanos) {
    advance(begunNanos);
    if (behind && clock.nanos() - begunNanos < LATE_NANOS) {
      behind = false;
      LOG.log(Level.INFO, "what is decided is written in time again");
    }
  }

  /** Whether a decision comes late after what is written. */
  boolean isLate(long nowNanos) {
    return nowNanos - writtenTo > LATE_NANOS;
  }

  /** Whether those who decide have given up waiting. */
  boolean isBehind() {
    return behind;
  }

  /** Waits for the writer, for a while; false if it does not catch up with a decision. */
  boolean isCaughtUp(long nowNanos) {
    if (behind) {
      return false;
    }
    lock.lock();
    try {
      long left = WAIT_NANOS_MAX;
      while (isLate(nowNanos) && left > 0) {
        left = advanced.awaitNanos(left);
      }
      if (isLate(nowNanos) && !behind) {
        behind = true;
        LOG.log(
            Level.WARNING,
            "what is decided is not written in time: the disk or the machine is slow");
      }
      return !isLate(nowNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
