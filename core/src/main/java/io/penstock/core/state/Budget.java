package io.penstock.core.state;

import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How much memory may be used, and how much is. Thread-safe. */
final class Budget {
  /*
   * What slots have taken never becomes blocks of logs, nor the other way round. So neither may
   * take all: a flood of keys of one kind would leave nothing to the other, long after it is over.
   */
  private static final int LEFT_TO_OTHERS_DIVISOR = 16;

  private final @Nullable Budget whole;
  private final long max;
  private final AtomicLong used = new AtomicLong();
  private volatile boolean exhausted;

  Budget(long max) {
    this(/* whole= */ null, max);
  }

  private Budget(@Nullable Budget whole, long max) {
    this.whole = whole;
    this.max = max;
  }

  /** What one purpose may use of this, which leaves some to others. */
  Budget part() {
    return new Budget(this, max - max / LEFT_TO_OTHERS_DIVISOR);
  }

  /** The least that must be allowed in all so that a part may have so much. */
  static long wholeFor(long partBytes) {
    return partBytes + partBytes / (LEFT_TO_OTHERS_DIVISOR - 1) + 1;
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
    if (add(bytes)) {
      try {
        return Memory.words(words);
      } catch (OutOfMemoryError e) {
        exhaust();
      }
    }
    add(-bytes);
    return null;
  }

  /** Counts more or less as used; whether that much may be. */
  private boolean add(long bytes) {
    boolean fits = used.addAndGet(bytes) <= max;
    return (whole == null || whole.add(bytes)) && fits;
  }

  private void exhaust() {
    exhausted = true;
    if (whole != null) {
      whole.exhaust();
    }
  }

  boolean has(long bytes) {
    return !exhausted && used.get() + bytes <= max && (whole == null || whole.has(bytes));
  }

  long used() {
    return used.get();
  }

  long max() {
    return max;
  }
}
