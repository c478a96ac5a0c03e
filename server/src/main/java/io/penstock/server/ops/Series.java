package io.penstock.server.ops;

import io.penstock.server.node.Why;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How often one template was decided, by result and reason. Thread-safe. */
final class Series {
  private static final Why[] REASONS = Why.values();

  /** Hears of the counters that there are. */
  interface Visitor {
    void visit(Why reason, boolean allowed, long count);
  }

  private final AtomicReferenceArray<@Nullable LongAdder> counters =
      new AtomicReferenceArray<>(2 * REASONS.length);

  /** Counts one; false if that needs a new counter, and there is no room for it. */
  @SuppressWarnings("EnumOrdinal") // an index that never leaves this object
  boolean add(Why reason, boolean allowed, Room room) {
    int index = 2 * reason.ordinal() + (allowed ? 1 : 0);
    LongAdder counter = counters.get(index);
    if (counter == null) {
      if (!room.take()) {
        return false;
      }
      LongAdder made = new LongAdder();
      LongAdder first = counters.compareAndExchange(index, null, made);
      counter = first == null ? made : first;
    }
    counter.increment();
    return true;
  }

  void visit(Visitor visitor) {
    for (int i = 0; i < counters.length(); i++) {
      LongAdder counter = counters.get(i);
      if (counter != null) {
        visitor.visit(REASONS[i / 2], i % 2 == 1, counter.sum());
      }
    }
  }
}
