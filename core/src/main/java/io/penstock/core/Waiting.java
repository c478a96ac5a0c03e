package io.penstock.core;

import io.penstock.core.algorithm.Wide;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What one caller waits for and until when, and the wait of a caller on its thread. Confined to
 * that caller; {@link Pending} waits without a thread.
 */
final class Waiting {
  /*
   * A denial says when to ask again, and whoever makes room earlier wakes who waits (Waiters): so
   * nobody polls. Units are taken only when they are there: a waiter holds nothing, and one that
   * gives up leaves nothing behind. A queue hands out places that lie ahead; a place too far ahead,
   * or left before its time, is given back. After the first attempt a waiter only looks, until it
   * seems to fit: however many are woken for one unit, listeners hear of those who try to take it.
   */

  /** The pause before an attempt that need not be made. */
  static final long IN_VAIN = -1;

  /** A thread that sleeps, unless it was woken since its last look. */
  private static final class Sleeper implements Runnable {
    private final Thread thread = Thread.currentThread();

    /* The permit of the thread alone is not enough: any lock may use it up before the sleep. */
    private volatile boolean woken;

    @Override
    public void run() {
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  private final MemoryLimiter limiter;
  private final Clock clock;
  private final String key;
  private final long cost;
  private final long timeoutNanos;
  private final long deadline;

  Waiting(MemoryLimiter limiter, Clock clock, String key, long cost, long timeoutNanos) {
    this.limiter = limiter;
    this.clock = clock;
    this.key = key;
    this.cost = cost;
    this.timeoutNanos = timeoutNanos;
    this.deadline = instantIn(timeoutNanos);
  }

  /** An instant after now; none is after the last one of a clock, at which it stands for ever. */
  long instantIn(long nanos) {
    return Math.min(Wide.add(clock.nanos(), nanos), MonotonicClock.NANOS_MAX);
  }

  Reservation reserve() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    while (true) {
      Reservation reservation = attempt();
      boolean kept = false;
      try {
        Decision decision = reservation.decision();
        long pause = pauseNanos(decision);
        if (pause == IN_VAIN) {
          reservation.cancel();
          return new Denied(tooLate(decision));
        }
        if (decision.allowed()) {
          sleepFor(pause);
          kept = true;
          return reservation;
        }
      } finally {
        if (!kept) {
          reservation.cancel();
        }
      }
      sleepUntilItFits();
    }
  }

  private void sleepFor(long nanos) throws InterruptedException {
    long end = instantIn(nanos);
    for (long left = nanos; left > 0; left = end - clock.nanos()) {
      clock.sleep(left);
    }
  }

  /** Returns when it seems to fit, or never will: the next attempt says which. */
  private void sleepUntilItFits() throws InterruptedException {
    Sleeper sleeper = new Sleeper();
    join(sleeper);
    try {
      while (true) {
        sleeper.woken = false;
        Decision seen = look();
        long pause = pauseNanos(seen);
        if (seen.allowed() || pause == IN_VAIN) {
          return;
        }
        if (!sleeper.woken) {
          clock.sleep(pause);
        }
      }
    } finally {
      leave(sleeper);
    }
  }

  /** Takes what is waited for, if it fits now. */
  Reservation attempt() {
    return limiter.reserve(key, cost);
  }

  /** What an attempt would say now. */
  Decision look() {
    return limiter.look(key, cost);
  }

  void join(Runnable waiter) {
    limiter.waiters().join(limiter.hash(key), waiter);
  }

  void leave(Runnable waiter) {
    limiter.waiters().leave(limiter.hash(key), waiter);
  }

  /** How long to wait for a place, or before asking again; {@link #IN_VAIN} if it is no use. */
  long pauseNanos(Decision decision) {
    long left = Math.max(0, deadline - clock.nanos());
    long told = decision.allowed() ? decision.waitNanos() : Math.max(1, decision.retryAfterNanos());
    if (isHopeless(decision)) {
      return IN_VAIN;
    }
    if (told <= left) {
      return told;
    }
    return left > 0 && mayEndEarlier(decision) ? left : IN_VAIN;
  }

  /** A denial without a time, as by a full memory, will not go away by waiting. */
  private static boolean isHopeless(Decision decision) {
    return decision.reason() == Reason.NEVER || decision.reason() == Reason.FAIL_CLOSED;
  }

  /*
   * A slot is told to be held until its lease ends, but may be closed by then, and a block be
   * lifted. Not so a rate, which need not be the limit that the decision names.
   */
  private boolean mayEndEarlier(Decision decision) {
    if (decision.allowed()) {
      return false;
    }
    long ratesWait = limiter.ratesWaitNanos(key, cost);
    return ratesWait <= deadline - clock.nanos();
  }

  /**
   * A place in the queue that comes too late, and was given back, is a denial to whoever cannot
   * wait for it: until it is so near that the same wait would do.
   */
  Decision tooLate(Decision decision) {
    if (!decision.allowed()) {
      return decision;
    }
    Decision left = limiter.look(key, /* cost= */ 0);
    return new Decision(
        /* allowed= */ false,
        Reason.LIMITED,
        left.remaining(),
        Math.max(1, decision.waitNanos() - timeoutNanos),
        left.resetAfterNanos(),
        /* waitNanos= */ 0,
        decision.limit(),
        decision.policyVersion(),
        List.of());
  }
}
