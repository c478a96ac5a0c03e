package io.penstock.shard;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must come. */
final class Await {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Await() {}

  static void until(BooleanSupplier condition) throws TimeoutException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > NANOS_MAX) {
        throw new TimeoutException("the condition did not come true");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
