package io.penstock.server.cluster;

import io.penstock.server.node.LocalNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who decides, as far as this node knows. Thread-safe. */
public final class Ownership {
  private static final int WAITING_MAX = 1 << 16;

  /**
   * What is known at a time. Immutable.
   *
   * @param local the node that decides here; null if this node does not own
   * @param owner the name of the node that owns, this one included; null if nobody knows
   * @param epoch grows with each change of owner; empty as long as there was none
   */
  public record View(@Nullable LocalNode local, @Nullable String owner, String epoch) {}

  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private volatile View view = new View(/* local= */ null, /* owner= */ null, /* epoch= */ "");

  public View now() {
    return view;
  }

  /**
   * Something is known now that was not. The node that decided before, if it is another, ends.
   * Whoever waited for this goes on, on this thread.
   */
  public void change(View next) {
    List<Runnable> told;
    View before;
    synchronized (this) {
      before = view;
      view = next;
      told = List.copyOf(waiting);
      waiting.clear();
    }
    LocalNode ended = before.local();
    if (ended != null && ended != next.local()) {
      ended.end();
    }
    told.forEach(Runnable::run);
  }

  /**
   * Runs something once what was seen is no longer so: at once if it is not. False if too many wait
   * for that already.
   */
  boolean whenChanged(View seen, Runnable waiter) {
    synchronized (this) {
      if (view.equals(seen)) {
        return waiting.size() < WAITING_MAX && waiting.add(waiter);
      }
    }
    waiter.run();
    return true;
  }

  /** Does not run it any more. */
  synchronized void forget(Runnable waiter) {
    waiting.remove(waiter);
  }
}
