package io.penstock.server.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The answers to a batch of checks, which may come on several threads: the last of them hands over
 * all, in the order of the checks. Thread-safe.
 *
 * @param <T> what one answer or refusal becomes
 */
public final class Gathering<T> {
  private final List<CheckRequest> checks;
  private final Function<Answer, T> answered;
  private final Function<RuntimeException, T> refused;
  private final Asker<List<T>> done;
  private final AtomicReferenceArray<T> parts;
  private final AtomicInteger missing;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Makes one that nobody is asked for yet. */
  public Gathering(
      List<CheckRequest> checks,
      Function<Answer, T> answered,
      Function<RuntimeException, T> refused,
      Asker<List<T>> done) {
    this.checks = List.copyOf(checks);
    this.answered = answered;
    this.refused = refused;
    this.done = done;
    this.parts = new AtomicReferenceArray<>(checks.size());
    this.missing = new AtomicInteger(checks.size());
  }

  /** Asks every check, once. */
  public void ask(BiConsumer<CheckRequest, Asker<Answer>> node) {
    for (int i = 0; i < checks.size(); i++) {
      int index = i;
      try {
        node.accept(
            checks.get(i),
            Asker.of(answer -> put(index, answered.apply(answer)), cause -> fail(index, cause)));
      } catch (RuntimeException e) {
        fail(index, e);
      }
    }
  }

  /** One that is refused does not keep the others from being answered; a mistake does. */
  private void fail(int index, RuntimeException cause) {
    if (cause instanceof RefundRefusedException || cause instanceof UnavailableException) {
      put(index, refused.apply(cause));
    } else if (ended.compareAndSet(false, true)) {
      done.fail(cause);
    }
  }

  private void put(int index, T part) {
    parts.set(index, part);
    if (missing.decrementAndGet() == 0 && ended.compareAndSet(false, true)) {
      List<T> all = new ArrayList<>(parts.length());
      for (int i = 0; i < parts.length(); i++) {
        all.add(parts.get(i));
      }
      done.accept(all);
    }
  }
}
