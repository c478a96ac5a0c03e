package io.penstock.cli.cluster;

import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Reason;
import io.penstock.core.Reservation;
import io.penstock.testkit.ManualClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One caller that waits as answers tell it, and moves the clock: the wire itself never waits.
 * Immutable.
 */
record RemoteWait(Limiter limiter, ManualClock clock, String key, long cost) {
  Reservation reserve(long timeoutNanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Reservation taken = limiter.reserve(key, cost);
    Decision told = taken.decision();
    if (!told.allowed() && told.retryAfterNanos() <= timeoutNanos) {
      clock.advanceNanos(told.retryAfterNanos());
      return reserve(timeoutNanos - told.retryAfterNanos());
    }
    if (told.allowed() && told.waitNanos() > timeoutNanos) {
      taken.cancel();
      return new Denied(late(told));
    }
    if (told.allowed()) {
      clock.advanceNanos(told.waitNanos());
    }
    return taken;
  }

  CompletableFuture<Decision> reserveLater(long timeoutNanos) {
    CompletableFuture<Decision> future = new CompletableFuture<>();
    ask(timeoutNanos, future);
    return future;
  }

  private void ask(long leftNanos, CompletableFuture<Decision> future) {
    if (future.isDone()) {
      return;
    }
    Reservation taken = limiter.reserve(key, cost);
    Decision told = taken.decision();
    long wait = told.allowed() ? told.waitNanos() : told.retryAfterNanos();
    if (wait > leftNanos) {
      taken.cancel();
      future.complete(told.allowed() ? late(told) : told);
    } else if (!told.allowed()) {
      clock.after(wait).execute(() -> ask(leftNanos - wait, future));
    } else if (wait == 0) {
      future.complete(told);
    } else {
      clock.after(wait).execute(() -> future.complete(told));
      var unused =
          future.whenComplete(
              (ended, failure) -> {
                if (!told.equals(ended)) {
                  taken.cancel();
                }
              });
    }
  }

  /** That a place in a queue is too far ahead. */
  private static Decision late(Decision told) {
    return new Decision(
        /* allowed= */ false,
        Reason.LIMITED,
        told.remaining(),
        /* retryAfterNanos= */ told.waitNanos(),
        told.resetAfterNanos(),
        /* waitNanos= */ 0,
        told.limit(),
        told.policyVersion(),
        List.of());
  }

  /** Nothing is taken. */
  private record Denied(Decision decision) implements Reservation {
    @Override
    public void commit(long cost) {
      throw new IllegalStateException("denied");
    }

    @Override
    public void cancel() {
      // There is nothing to give back.
    }

    @Override
    public boolean renew() {
      return false;
    }
  }
}
