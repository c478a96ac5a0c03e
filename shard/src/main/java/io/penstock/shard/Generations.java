package io.penstock.shard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Who is deciding, so that a generation ends between decisions and not within one. Thread-safe.
 *
 * <p>Whoever is inside must not enter again, nor wait for somebody who is about to enter.
 */
final class Generations {
  /*
   * A decision writes states, an id and notes; all of it must be in one generation (R9). So whoever
   * ends one closes the door, waits until everybody has left, raises the number and opens again: a
   * few microseconds, after which it copies what has changed while others decide. Each thread
   * counts itself in a line of its own; there is no lock.
   */
  private static final int SLOTS = 64;
  private static final int STRIDE = 16;
  private static final int SPINS = 64;
  private static final int YIELDS = 256;
  private static final int PAUSES_MAX = 20_000;
  private static final long PAUSE_NANOS = 50_000;
  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] inside = new long[(SLOTS + 1) * STRIDE];
  private volatile boolean closed;

  void enter() {
    int index = index((int) Thread.currentThread().getId());
    for (int tries = 0; ; tries++) {
      if (!closed) {
        COUNTS.getAndAdd(inside, index, 1L);
        if (!closed) {
          return;
        }
        COUNTS.getAndAdd(inside, index, -1L);
      }
      pause(tries);
    }
  }

  void leave() {
    COUNTS.getAndAdd(inside, index((int) Thread.currentThread().getId()), -1L);
  }

  private static int index(int slot) {
    return ((slot & (SLOTS - 1)) + 1) * STRIDE;
  }

  /** Ends a generation while nobody decides; false if somebody does not come to an end. */
  boolean isEnded(Runnable ending) {
    closed = true;
    try {
      for (int slot = 0; slot < SLOTS; slot++) {
        if (!isLeft(index(slot))) {
          return false;
        }
      }
      ending.run();
      return true;
    } finally {
      closed = false;
    }
  }

  private boolean isLeft(int index) {
    for (int tries = 0; (long) COUNTS.getVolatile(inside, index) != 0; tries++) {
      if (tries == PAUSES_MAX) {
        return false;
      }
      pause(tries);
    }
    return true;
  }

  /* A decision takes a microsecond, unless its thread was descheduled: then let it run. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else if (tries < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
