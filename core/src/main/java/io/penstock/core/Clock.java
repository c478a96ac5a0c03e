package io.penstock.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where a limiter reads the time. Implementations are thread-safe.
 *
 * <p>A limiter trusts its own system clock to move forward; any other clock is guarded, so that a
 * reading before an earlier one counts as that one and a step back never grants anything twice.
 */
@FunctionalInterface
public interface Clock {
  /** Nanoseconds since the Unix epoch, not negative. */
  long nanos();

  /**
   * Waits that long on this clock, or less: {@link LockSupport#unpark} wakes a caller for whom room
   * is made earlier. On a clock that does not return by that, it waits for its time.
   */
  default void sleep(long nanos) throws InterruptedException {
    if (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, nanos);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Runs a task after that long on this clock, without a thread of ours. */
  default Executor after(long nanos) {
    return CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS);
  }

  /** The clock of this process: wall time that never steps and never runs backwards. */
  static Clock system() {
    return SystemClock.SHARED;
  }
}
