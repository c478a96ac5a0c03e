package io.penstock.core;

import io.penstock.core.algorithm.Wide;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One caller that waits for units, on its thread or without one. Confined to that caller. */
final class Waiting {
  private final Limiter limiter;
  private final Clock clock;

  Waiting(Limiter limiter, Clock clock) {
    this.limiter = limiter;
    this.clock = clock;
  }

  /*
   * A denial says exactly when to ask again, so nobody polls. Units are taken only when they are
   * there: a waiter holds nothing, and one that gives up leaves nothing behind. A queue hands out
   * places that lie ahead; a place too far ahead, or left before its time, is given back.
   */
  Reservation reserve(String key, long cost, long timeoutNanos) throws InterruptedException {
    long deadline = Wide.add(clock.nanos(), timeoutNanos);
    while (true) {
      Reservation reservation = limiter.reserve(key, cost);
      boolean kept = false;
      try {
        Decision decision = reservation.decision();
        long left = Math.max(0, deadline - clock.nanos());
        long pause = pause(decision);
        if (pause > left || isHopeless(decision)) {
          return new Denied(tooLate(decision));
        }
        if (pause > 0 || !decision.allowed()) {
          clock.sleep(Math.max(pause, 1));
        }
        kept = decision.allowed();
      } finally {
        if (!kept) {
          reservation.cancel();
        }
      }
      if (kept) {
        return reservation;
      }
    }
  }

  CompletableFuture<Decision> acquireAsync(String key, long cost, long timeoutNanos) {
    CompletableFuture<Decision> future = new CompletableFuture<>();
    tryOnce(key, cost, Wide.add(clock.nanos(), timeoutNanos), future);
    return future;
  }

  private void tryOnce(String key, long cost, long deadline, CompletableFuture<Decision> future) {
    if (future.isDone()) {
      return;
    }
    try {
      Reservation reservation = limiter.reserve(key, cost);
      Decision decision = reservation.decision();
      leaveUnlessAnswered(future, decision, reservation);
      long left = Math.max(0, deadline - clock.nanos());
      long pause = pause(decision);
      if (pause > left || isHopeless(decision)) {
        future.complete(tooLate(decision));
      } else if (!decision.allowed()) {
        clock.after(Math.max(pause, 1)).execute(() -> tryOnce(key, cost, deadline, future));
      } else if (pause > 0) {
        clock.after(pause).execute(() -> future.complete(decision));
      } else {
        future.complete(decision);
      }
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
    }
  }

  /** Whatever else ends the future than the decision itself, nobody will use what it took. */
  @SuppressWarnings("ReferenceEquality") // an equal decision of somebody else is not this one
  private static void leaveUnlessAnswered(
      CompletableFuture<Decision> future, Decision decision, Reservation place) {
    CompletableFuture<Decision> unused =
        future.whenComplete(
            (answer, failure) -> {
              if (answer != decision) {
                place.cancel();
              }
            });
  }

  private static long pause(Decision decision) {
    return decision.allowed() ? decision.waitNanos() : decision.retryAfterNanos();
  }

  /** A denial without a time, as by a full memory, will not go away by waiting. */
  private static boolean isHopeless(Decision decision) {
    return !decision.allowed()
        && (decision.reason() == Reason.NEVER || decision.reason() == Reason.FAIL_CLOSED);
  }

  /** A place in the queue that comes too late is a denial to whoever cannot wait for it. */
  private static Decision tooLate(Decision decision) {
    return !decision.allowed()
        ? decision
        : new Decision(
            /* allowed= */ false,
            Reason.LIMITED,
            decision.remaining(),
            decision.waitNanos(),
            decision.resetAfterNanos(),
            /* waitNanos= */ 0,
            decision.limit(),
            decision.policyVersion(),
            List.of());
  }
}
