package io.penstock.core.state;

import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How much memory may be used, and how much is. Thread-safe. */
final class Budget {
  private final long max;
  private final AtomicLong used = new AtomicLong();
  private volatile boolean exhausted;

  Budget(long max) {
    this.max = max;
  }

  /**
   * Memory within the budget, or null. If the process has none left either, that is the end of the
   * budget for good: asking again would stall every caller for half a second of garbage collection.
   */
  @Nullable LongBuffer take(int words) {
    long bytes = Memory.bytes(words);
    if (!has(bytes)) {
      return null;
    }
    if (used.addAndGet(bytes) <= max) {
      try {
        return Memory.words(words);
      } catch (OutOfMemoryError e) {
        exhausted = true;
      }
    }
    used.addAndGet(-bytes);
    return null;
  }

  boolean has(long bytes) {
    return !exhausted && used.get() + bytes <= max;
  }

  long used() {
    return used.get();
  }

  long max() {
    return max;
  }
}
