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
  Decision acquire(String key, long cost, long timeoutNanos) throws InterruptedException {
    long deadline = Wide.add(clock.nanos(), timeoutNanos);
    while (true) {
      Reservation reservation = limiter.reserve(key, Checks.atLeast("cost", cost, 0));
      Decision decision = reservation.decision();
      long left = deadline - clock.nanos();
      long pause = decision.allowed() ? decision.waitNanos() : decision.retryAfterNanos();
      if (decision.allowed() && pause <= left) {
        sleepOrLeave(pause, reservation);
        return decision;
      }
      if (pause > left || isHopeless(decision)) {
        reservation.cancel();
        return tooLate(decision);
      }
      clock.sleep(Math.max(pause, 1));
    }
  }

  private void sleepOrLeave(long nanos, Reservation place) throws InterruptedException {
    if (nanos <= 0) {
      return;
    }
    try {
      clock.sleep(nanos);
    } catch (InterruptedException e) {
      place.cancel();
      throw e;
    }
  }

  CompletableFuture<Decision> acquireAsync(String key, long cost, long timeoutNanos) {
    Checks.atLeast("cost", cost, 0);
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
      long left = deadline - clock.nanos();
      long pause = decision.allowed() ? decision.waitNanos() : decision.retryAfterNanos();
      if (decision.allowed() && pause <= left) {
        complete(future, decision, reservation);
      } else if (pause > left || isHopeless(decision)) {
        reservation.cancel();
        future.complete(tooLate(decision));
      } else {
        clock.after(Math.max(pause, 1)).execute(() -> tryOnce(key, cost, deadline, future));
      }
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
    }
  }

  private void complete(CompletableFuture<Decision> future, Decision decision, Reservation place) {
    if (decision.waitNanos() <= 0) {
      if (!future.complete(decision)) {
        place.cancel();
      }
      return;
    }
    CompletableFuture<Decision> unused =
        future.whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                place.cancel();
              }
            });
    clock.after(decision.waitNanos()).execute(() -> future.complete(decision));
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
