package io.penstock.shard;

import io.penstock.core.state.StateTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/** Who is deciding, and since which generation. Thread-safe, without a lock. */
final class Generations {
  /*
   * A decision takes its generation under the locks of its stripes (Together), and writes its id and
   * its notes after that. Whoever enters is counted under the generation that it sees; it decides in
   * that one or in the next. So when everybody who entered in a generation has left, nothing of that
   * generation is still to come (R9). At most two are open at a time: a bit tells them apart.
   */
  private static final int SLOTS = 64;
  private static final int STRIDE = 16;
  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 20_000;
  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  private final StateTable table;
  private final long[] inside = new long[(2 * SLOTS + 1) * STRIDE];

  Generations(StateTable table) {
    this.table = table;
  }

  long enter() {
    while (true) {
      long number = table.number();
      add(number, 1);
      if (table.number() == number) {
        return number;
      }
      add(number, -1);
    }
  }

  void leave(long number) {
    add(number, -1);
  }

  private void add(long number, long by) {
    int slot = (int) Thread.currentThread().getId() & (SLOTS - 1);
    COUNTS.getAndAdd(inside, index(number, slot), by);
  }

  private static int index(long number, int slot) {
    return (((int) number & 1) * SLOTS + slot + 1) * STRIDE;
  }

  /** Waits until everybody who entered in an ended generation has left. */
  void awaitLeft(long ended) {
    for (int slot = 0; slot < SLOTS; slot++) {
      int index = index(ended, slot);
      for (int spins = 0; (long) COUNTS.getVolatile(inside, index) != 0; spins++) {
        if (spins < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }
}
