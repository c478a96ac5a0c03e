package io.penstock.core.state;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes may be used, and how many are. Thread-safe. */
final class Budget {
  private final long max;
  private final AtomicLong used = new AtomicLong();

  Budget(long max) {
    this.max = max;
  }

  boolean take(long bytes) {
    long before = used.get();
    while (before + bytes <= max) {
      if (used.compareAndSet(before, before + bytes)) {
        return true;
      }
      before = used.get();
    }
    return false;
  }

  boolean has(long bytes) {
    return used.get() + bytes <= max;
  }

  long used() {
    return used.get();
  }

  long max() {
    return max;
  }
}
