package io.penstock.server.cluster;

import io.penstock.core.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Keeps a node from leading: what it leads goes to another node that is there and does not drain
 * too. If there is none, it goes on leading, and looks again. Thread-safe.
 */
final class Drain {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Whoever waits is told after so many rounds that did not help. */
  private static final int ROUNDS_MAX = 2;

  /** The seats of a node in its groups. Implementations never block. */
  interface Seats {
    /** The groups that this node leads. */
    List<String> led();

    /** The nodes that could lead instead. */
    CompletionStage<Set<String>> heirs();

    /** Lets one of them lead; ends when that is so, or when it is given up. */
    CompletionStage<?> giveAway(String group, Set<String> heirs);
  }

  private static final class Waiter {
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int rounds;

    private boolean isToldAfter(List<String> led) {
      return led.isEmpty() || rounds++ == ROUNDS_MAX;
    }
  }

  /**
   * Who may lead instead of a node. One whose clock is off gives what it gets away again, perhaps
   * to where it came from: it is asked only if there is no other.
   */
  static Set<String> heirs(String self, List<NodeState> all, Predicate<String> isOnTime) {
    Set<String> there =
        all.stream()
            .filter(each -> each.reachable() && !each.draining())
            .map(NodeState::node)
            .filter(node -> !node.equals(self))
            .collect(Collectors.toSet());
    Set<String> onTime = there.stream().filter(isOnTime).collect(Collectors.toSet());
    return onTime.isEmpty() ? there : onTime;
  }

  private final Seats seats;
  private final Clock clock;
  private final List<Waiter> waiting = new ArrayList<>();
  private volatile boolean begun;
  private volatile boolean ended;

  Drain(Seats seats, Clock clock) {
    this.seats = seats;
    this.clock = clock;
  }

  boolean isBegun() {
    return begun;
  }

  /** Begins, once; completes when this node leads nothing, or when nobody takes over. */
  CompletionStage<Void> begin() {
    Waiter waiter = new Waiter();
    boolean first;
    synchronized (this) {
      first = !begun;
      begun = true;
      waiting.add(waiter);
    }
    if (first) {
      round();
    }
    return waiter.done;
  }

  void end() {
    ended = true;
  }

  private void round() {
    if (ended) {
      return;
    }
    List<String> led = seats.led();
    told(led).forEach(waiter -> waiter.done.complete(null));
    CompletionStage<?> given =
        led.isEmpty()
            ? CompletableFuture.completedFuture(led)
            : seats.heirs().thenCompose(heirs -> giveAway(led, heirs));
    var unused =
        given.whenComplete((done, failure) -> clock.after(PAUSE_NANOS).execute(this::round));
  }

  private synchronized List<Waiter> told(List<String> led) {
    List<Waiter> told = waiting.stream().filter(waiter -> waiter.isToldAfter(led)).toList();
    waiting.removeAll(told);
    return told;
  }

  /** One after the other: whoever takes over is soon there for one group, and late for several. */
  private CompletionStage<?> giveAway(List<String> led, Set<String> heirs) {
    CompletionStage<?> given = CompletableFuture.completedFuture(heirs);
    for (String group : heirs.isEmpty() ? List.<String>of() : led) {
      given =
          given.handle((done, failure) -> group).thenCompose(next -> seats.giveAway(next, heirs));
    }
    return given;
  }
}
