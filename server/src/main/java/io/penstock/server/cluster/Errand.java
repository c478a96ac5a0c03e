package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.MisroutedException;
import io.penstock.server.node.UnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One question on its way to whoever owns, until it is answered or its budget is over. Its steps
 * follow each other; only the end of the budget may come at any time, and on any thread.
 */
final class Errand<T> implements Timeouts.Waiting {
  /*
   * A question that was not decided goes on to the next owner. One that may have been decided is
   * asked again only if it has an id, by which it is decided once (R22); without one its answer is
   * unknown (R4), and the errand is given up.
   */
  private static final int HOPS_MAX = 4;
  private static final int RESENDS_MAX = 1;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final String FULL = "questions that wait: too many (expected: fewer)";

  private final Dispatch dispatch;
  private final IntSupplier route;
  private final Question<T> question;
  private final Fallback<T> fallback;
  private final Asker<T> asker;
  private final long deadlineNanos;
  private final Runnable goOn = this::goOn;
  private final AtomicBoolean done = new AtomicBoolean();
  private final Retreat retreat = new Retreat();
  private int group;
  private int hops;
  private int resends;

  /** Who owns the group that it goes to; another one if policies route it there meanwhile. */
  private volatile Ownership ownership;

  private volatile boolean isGivenUp;

  Errand(Dispatch dispatch, Trip<T> trip, Fallback<T> fallback, Asker<T> asker) {
    this.dispatch = dispatch;
    this.route = trip.route();
    this.group = route.getAsInt();
    this.ownership = dispatch.owners().of(group);
    this.question = trip.question();
    this.fallback = fallback;
    this.asker = asker;
    this.deadlineNanos = dispatch.clock().nanos() + trip.budget().toNanos();
  }

  /** Goes out; throws what the node that decides here finds wrong with the question. */
  void begin() {
    go(ownership.now());
    if (!done.get() && !dispatch.timeouts().add(deadlineNanos, this)) {
      cancel(FULL);
    }
  }

  /** Something has changed: nobody is there any more to whom anything could be thrown. */
  private void goOn() {
    try {
      go(ownership.now());
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void go(Ownership.View view) {
    if (done.get()) {
      return;
    }
    LocalNode local = view.local();
    String owner = view.owner();
    if (local != null) {
      askHere(view, local);
    } else if (owner != null && !owner.equals(dispatch.name())) {
      askThere(view, owner);
    } else {
      await(view);
    }
  }

  /** Goes on when something has changed. */
  private void await(Ownership.View seen) {
    if (!ownership.whenChanged(seen, goOn)) {
      giveUp(FULL);
    }
  }

  /**
   * Goes on when something has changed, or after a pause: the one who was asked may not have heard
   * yet that it owns.
   */
  private void pause(Ownership.View seen) {
    Pause pause = new Pause();
    long atNanos = dispatch.clock().nanos() + (PAUSE_NANOS << Math.min(hops, HOPS_MAX + 1));
    if (!dispatch.timeouts().add(atNanos, pause) || !ownership.whenChanged(seen, pause)) {
      giveUp(FULL);
    }
  }

  private void reroute() {
    group = route.getAsInt();
    ownership = dispatch.owners().of(group);
  }

  /** Ends once, by time or by a change. */
  private final class Pause implements Runnable, Timeouts.Waiting {
    private final AtomicBoolean over = new AtomicBoolean();

    @Override
    public boolean isOver() {
      return over.get();
    }

    @Override
    public void expire() {
      run();
    }

    @Override
    public void run() {
      if (over.compareAndSet(false, true)) {
        ownership.forget(this);
        reroute();
        goOn();
      }
    }
  }

  private void askHere(Ownership.View view, LocalNode local) {
    Asker<T> told =
        Asker.of(
            this::answer,
            cause -> {
              if (cause instanceof UnavailableException) {
                unknown(view, String.valueOf(cause.getMessage()));
              } else {
                fail(cause);
              }
            });
    try {
      retreat.by(question.ask(local, told));
    } catch (MisroutedException e) {
      notOwner(view, dispatch.name(), /* next= */ null);
    } catch (UnavailableException e) {
      unknown(view, String.valueOf(e.getMessage()));
    }
  }

  private void askThere(Ownership.View view, String node) {
    long left = deadlineNanos - dispatch.clock().nanos();
    if (left <= 0) {
      expire();
      return;
    }
    long number = dispatch.number();
    int millisLeft = (int) TimeUnit.NANOSECONDS.toMillis(left);
    byte[] bytes = dispatch.sealed(question, number, group, millisLeft);
    dispatch.tally().forward();
    retreat.by(() -> dispatch.cancel(node, number));
    CompletionStage<byte[]> stage;
    try {
      stage = dispatch.link().ask(node, bytes, Duration.ofNanos(left));
    } catch (RuntimeException e) {
      lost(view, node, e);
      return;
    }
    var unused =
        stage.whenComplete(
            (response, failure) -> {
              if (done.get()) {
                return;
              }
              try {
                if (failure == null) {
                  take(view, node, Response.read(question, response));
                } else {
                  lost(view, node, failure);
                }
              } catch (MalformedException e) {
                dispatch.tally().failure();
                unknown(view, node + ": " + e.getMessage());
              } catch (RuntimeException e) {
                fail(e);
              }
            });
  }

  private void take(Ownership.View view, String node, Response<T> response) {
    if (response instanceof Response.Answered<T> answered) {
      answer(answered.answer());
      return;
    }
    retreat.by(/* undo= */ null);
    if (response instanceof Response.Failed<T> failed) {
      fail(failed.cause());
    } else if (response instanceof Response.Unknown<T> unknown) {
      unknown(view, unknown.why());
    } else if (response instanceof Response.NotOwner<T> other) {
      notOwner(view, node, other.owner());
    }
  }

  /** Nothing was decided. */
  private void notOwner(Ownership.View view, String asked, @Nullable String next) {
    Ownership.View now = ownership.now();
    boolean leads = next != null && !next.equals(asked) && !next.equals(dispatch.name());
    hops++;
    if (!now.equals(view) && hops <= HOPS_MAX) {
      go(now);
    } else if (leads && next != null && hops <= HOPS_MAX) {
      askThere(view, next);
    } else {
      pause(now);
    }
  }

  /** It may have been decided, by somebody who may own no more (R4). */
  private void unknown(Ownership.View view, String why) {
    if (question.isRepeatable()) {
      await(view);
    } else {
      giveUp(why);
    }
  }

  /** It may have been decided, by somebody who may still own. */
  private void lost(Ownership.View view, String node, Throwable failure) {
    dispatch.tally().failure();
    if (question.isRepeatable() && resends < RESENDS_MAX) {
      resends++;
      go(ownership.now());
    } else {
      unknown(view, node + ": " + failure.getMessage() + " (expected: an answer)");
    }
  }

  @Override
  public boolean isOver() {
    return done.get();
  }

  @Override
  public void expire() {
    String owner = ownership.now().owner();
    cancel("owner: " + (owner == null ? "none known" : owner) + " (expected: an answer in time)");
  }

  /** Nobody waits any more: what is not told as taken is not to be counted either (R20). */
  private void cancel(String why) {
    T answer = giveUp(why);
    if (answer != null && fallback.isCancel(answer)) {
      retreat.begin();
    }
  }

  /** Whether nobody has answered, and something else was told instead. */
  boolean isGivenUp() {
    return isGivenUp;
  }

  private void answer(T answer) {
    if (done.compareAndSet(false, true)) {
      asker.accept(answer);
    }
  }

  private void fail(RuntimeException cause) {
    if (done.compareAndSet(false, true)) {
      asker.fail(cause);
    }
  }

  /** What was answered instead, if it was now. */
  private @Nullable T giveUp(String why) {
    if (!done.compareAndSet(false, true)) {
      return null;
    }
    isGivenUp = true;
    ownership.forget(goOn);
    T answer = fallback.answer();
    if (answer == null) {
      asker.fail(new UnavailableException(why));
    } else {
      asker.accept(answer);
    }
    return answer;
  }
}
