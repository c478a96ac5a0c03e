package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.node.Asker;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.MisroutedException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Answers the questions of other nodes, if this node owns. Thread-safe. */
public final class OwnerDesk {
  private static final Logger LOG = System.getLogger(OwnerDesk.class.getName());

  /** The longest that a question waits here, whatever it says. */
  private static final int WAIT_MILLIS_MAX = 250;

  /** Reasons for which questions were refused. */
  private static final int LOGGED_MAX = 16;

  private final String name;
  private final Owners owners;
  private final Clock clock;
  private final Timeouts timeouts;
  private final Arrivals arrivals = new Arrivals();
  private final Undoing undoing = new Undoing();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /**
   * The desk of a node.
   *
   * @param name of this node
   */
  public OwnerDesk(String name, Owners owners, Clock clock) {
    this.name = name;
    this.owners = owners;
    this.clock = clock;
    this.timeouts = new Timeouts(clock);
  }

  /**
   * Answers a question: on this thread if that is known at once, else on that of the log. A node
   * that does not own answers with the owner it knows, and never with a decision (R20).
   */
  public void answer(byte[] question, Consumer<byte[]> done) {
    Delivery<?> delivery;
    try {
      if (Cancel.isMeant(question)) {
        cancel(Cancel.read(question));
        done.accept(new byte[0]);
        return;
      }
      delivery = QuestionCodec.read(question);
    } catch (MalformedException e) {
      done.accept(Response.unknown(refused(e)));
      return;
    }
    Ownership ownership = owners.find(delivery.group());
    if (ownership == null) {
      done.accept(Response.notOwner(/* owner= */ null));
    } else if (arrivals.isFirst(delivery.origin(), delivery.number())) {
      new Visit<>(delivery, ownership, done).enter();
    } else {
      done.accept(Response.unknown("question: a copy (expected: each once)"));
    }
  }

  /** Why nothing was decided; each reason is logged once, however many ask. */
  private String refused(MalformedException e) {
    String why = String.valueOf(e.getMessage());
    if (logged.size() < LOGGED_MAX && logged.add(why)) {
      LOG.log(Level.WARNING, "questions of another node are refused: {0}", why);
    }
    return why;
  }

  /** A question that comes after its cancel is taken for a copy, and not decided. */
  private void cancel(Cancel cancel) {
    if (!arrivals.isFirst(cancel.origin(), cancel.number())) {
      Runnable undo = undoing.take(cancel, clock.nanos());
      if (undo != null) {
        undo.run();
      }
    }
  }

  /** One question at the desk. */
  private final class Visit<T> implements Asker<T>, Timeouts.Waiting {
    private final Delivery<T> delivery;
    private final Ownership ownership;
    private final Consumer<byte[]> done;
    private final Runnable goOn = this::goOn;

    /** Whether it is being decided, or was turned away: never both. */
    private final AtomicBoolean taken = new AtomicBoolean();

    Visit(Delivery<T> delivery, Ownership ownership, Consumer<byte[]> done) {
      this.delivery = delivery;
      this.ownership = ownership;
      this.done = done;
    }

    void enter() {
      Ownership.View view = ownership.now();
      LocalNode local = view.local();
      if (local == null && !name.equals(view.owner())) {
        turnAway();
      } else if (local != null && isInForce(local)) {
        decide(local);
      } else {
        int millis = Math.max(0, Math.min(delivery.millisLeft(), WAIT_MILLIS_MAX));
        long until = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        keep(this::turnAway);
        if (timeouts.add(until, this)) {
          goOn();
        } else {
          turnAway();
        }
      }
    }

    /** Decides as soon as this node may, or waits for that a little. */
    private void goOn() {
      Ownership.View view = ownership.now();
      LocalNode local = view.local();
      boolean waits = true;
      if (local == null) {
        /* The others may hear that this node owns before it is ready to decide. */
        waits = name.equals(view.owner()) && ownership.whenChanged(view, goOn);
      } else if (isInForce(local)) {
        decide(local);
      } else {
        waits = local.policies().whenInForce(delivery.revision(), goOn);
      }
      if (!waits) {
        turnAway();
      }
    }

    /** Whether the policies that whoever asks knows are known here too (R18). */
    private boolean isInForce(LocalNode local) {
      return local.policies().revision() >= delivery.revision();
    }

    private void turnAway() {
      if (taken.compareAndSet(false, true)) {
        ownership.forget(goOn);
        done.accept(Response.notOwner(ownership.now().owner()));
      }
    }

    @Override
    public boolean isOver() {
      return taken.get();
    }

    @Override
    public void expire() {
      turnAway();
    }

    private void decide(LocalNode local) {
      if (taken.compareAndSet(false, true)) {
        try {
          decideUndoably(local);
        } catch (MisroutedException e) {
          done.accept(Response.notOwner(/* owner= */ null));
        } catch (RuntimeException e) {
          fail(e);
        }
      }
    }

    /** A cancel may come before it is known how to undo it, which then is done at once (R20). */
    private void decideUndoably(LocalNode local) {
      Runnable undo = delivery.question().ask(local, this);
      if (undo != null) {
        keep(undo);
      }
    }

    private void keep(Runnable undo) {
      undoing.keep(new Cancel(delivery.origin(), delivery.number()), undo, clock.nanos());
    }

    @Override
    public void accept(T answer) {
      byte[] response;
      try {
        response = Response.answered(delivery.question(), answer);
      } catch (RuntimeException e) {
        response = Response.failed(e);
      }
      done.accept(response);
    }

    @Override
    public void fail(RuntimeException cause) {
      done.accept(Response.failed(cause));
    }
  }
}
