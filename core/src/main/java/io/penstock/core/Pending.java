package io.penstock.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A wait without a thread: a future that is completed when there are units. Thread-safe. */
final class Pending implements Runnable {
  /*
   * Time and whoever makes room call from any thread. Rounds are played one after the other, by the
   * first that calls and for all who call meanwhile: two at once could both take. Who makes room
   * leaves the round to the clock's executor, so it does not wait for what others do when they are
   * let in, and its stack does not grow when those make room in turn.
   */

  /** A task for later. No clock takes one back, so one that nobody needs any more is emptied. */
  private static final class Alarm implements Runnable {
    private volatile @Nullable Runnable task;

    Alarm(@Nullable Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      Runnable left = task;
      task = null;
      if (left != null) {
        left.run();
      }
    }
  }

  private final Waiting waiting;
  private final Clock clock;
  private final CompletableFuture<Decision> future = new CompletableFuture<>();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Alarm alarm = new Alarm(/* task= */ null);
  private long alarmNanos;
  private boolean hasPlace;

  Pending(Waiting waiting, Clock clock) {
    this.waiting = waiting;
    this.clock = clock;
  }

  CompletableFuture<Decision> begin() {
    try {
      attempt();
      if (!future.isDone()) {
        CompletableFuture<Decision> unused = future.whenComplete((answer, failure) -> end());
        if (!hasPlace) {
          waiting.join(this);
          callNow();
        }
      }
    } catch (RuntimeException | Error e) {
      future.completeExceptionally(e);
    }
    return future;
  }

  private void end() {
    waiting.leave(this);
    alarm.task = null;
  }

  /** Somebody has made room. */
  @Override
  public void run() {
    if (calls.getAndIncrement() == 0) {
      try {
        clock.after(0).execute(this::rounds);
      } catch (RuntimeException | Error e) {
        /* No round will be played any more, not even at the timeout; the others must be woken. */
        future.completeExceptionally(e);
      }
    }
  }

  private void callNow() {
    if (calls.getAndIncrement() == 0) {
      rounds();
    }
  }

  private void rounds() {
    int answered;
    do {
      answered = calls.get();
      try {
        round();
      } catch (RuntimeException | Error e) {
        future.completeExceptionally(e);
      }
    } while (!calls.compareAndSet(answered, 0));
  }

  private void round() {
    while (!hasPlace && !future.isDone()) {
      Decision seen = waiting.look();
      long pause = waiting.pauseNanos(seen);
      if (!seen.allowed() && pause != Waiting.IN_VAIN) {
        callIn(pause);
        return;
      }
      attempt();
    }
  }

  private void attempt() {
    Reservation reservation = waiting.attempt();
    Decision decision = reservation.decision();
    if (decision.allowed()) {
      leaveUnlessAnswered(decision, reservation);
    }
    long pause = waiting.pauseNanos(decision);
    if (pause == Waiting.IN_VAIN) {
      reservation.cancel();
      future.complete(waiting.tooLate(decision));
    } else if (decision.allowed() && pause > 0) {
      hasPlace = true;
      waiting.leave(this);
      runAt(waiting.instantIn(pause), pause, decision);
    } else if (decision.allowed()) {
      future.complete(decision);
    }
  }

  /* A timer may go by another clock, and be early by what a clock that is slewed is behind it. */
  private void runAt(long nanos, long pause, Decision decision) {
    setAlarm(
        pause,
        () -> {
          long left = nanos - clock.nanos();
          try {
            if (left > 0) {
              runAt(nanos, left, decision);
            } else {
              future.complete(decision);
            }
          } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
          }
        });
  }

  /** Whatever else ends the future than the decision itself, nobody will use what it took. */
  @SuppressWarnings("ReferenceEquality") // an equal decision of somebody else is not this one
  private void leaveUnlessAnswered(Decision decision, Reservation place) {
    CompletableFuture<Decision> unused =
        future.whenComplete(
            (answer, failure) -> {
              if (answer != decision) {
                place.cancel();
              }
            });
  }

  /** Plays a round after a pause; if one will be played by then, that one says how it goes on. */
  private void callIn(long pause) {
    long nanos = waiting.instantIn(pause);
    if (alarm.task == null || nanos < alarmNanos) {
      alarmNanos = nanos;
      setAlarm(pause, this::callNow);
    }
  }

  private void setAlarm(long pause, Runnable task) {
    alarm.task = null;
    Alarm next = new Alarm(task);
    alarm = next;
    clock.after(pause).execute(next);
    if (future.isDone()) {
      next.task = null;
    }
  }
}
