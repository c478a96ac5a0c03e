package io.penstock.server.cluster;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What undoes what was asked last, in case nobody waits for the answer any more (R20). Thread-safe.
 */
final class Retreat {
  private final AtomicReference<@Nullable Runnable> last = new AtomicReference<>();
  private volatile boolean isBegun;

  /**
   * What was asked by now is undone so: at once, if nobody waits.
   *
   * @param undo null if nothing was decided, or nothing undoes it
   */
  void by(@Nullable Runnable undo) {
    last.set(undo);
    if (isBegun) {
      run();
    }
  }

  /** Nobody waits any more. */
  void begin() {
    isBegun = true;
    run();
  }

  private void run() {
    Runnable undo = last.getAndSet(null);
    if (undo != null) {
      undo.run();
    }
  }
}
