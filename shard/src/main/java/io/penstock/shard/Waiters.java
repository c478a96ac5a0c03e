package io.penstock.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Those who wait for the next frame. Thread-safe. */
final class Waiters {
  private static final System.Logger LOG = System.getLogger(Waiters.class.getName());

  /** Those who came before, in the order in which they came last. Immutable. */
  record Node(Consumer<Boolean> waiter, @Nullable Node before, int count) {}

  /* Far above what connections and their pipelines allow; nobody waits behind so many. */
  private static final int COUNT_MAX = 1 << 20;

  private final AtomicReference<@Nullable Node> last = new AtomicReference<>();

  /** Adds one; how many wait then. Beyond the bound it is told false at once. */
  int add(Consumer<Boolean> waiter) {
    while (true) {
      Node before = last.get();
      int count = count(before);
      if (count >= COUNT_MAX) {
        waiter.accept(false);
        return count;
      }
      if (last.compareAndSet(before, new Node(waiter, before, count + 1))) {
        return count + 1;
      }
    }
  }

  boolean isEmpty() {
    return last.get() == null;
  }

  int count() {
    return count(last.get());
  }

  static int count(@Nullable Node taken) {
    return taken == null ? 0 : taken.count;
  }

  /** Takes everybody who waits. */
  @Nullable Node take() {
    return last.getAndSet(null);
  }

  /** Tells everybody who was taken, in the order in which they came. */
  static void tell(@Nullable Node taken, boolean isDurable) {
    List<Consumer<Boolean>> inOrder = new ArrayList<>(count(taken));
    for (Node node = taken; node != null; node = node.before) {
      inOrder.add(node.waiter);
    }
    Collections.reverse(inOrder);
    for (Consumer<Boolean> waiter : inOrder) {
      try {
        waiter.accept(isDurable);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.ERROR, "a waiter failed", e);
      }
    }
  }
}
