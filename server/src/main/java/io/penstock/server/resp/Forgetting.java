package io.penstock.server.resp;

import io.penstock.server.node.Asker;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts which of several keys had anything to forget; the last of them answers. Thread-safe. */
final class Forgetting implements Asker<Boolean> {
  private final AtomicInteger missing;
  private final AtomicInteger forgotten = new AtomicInteger();
  private final Asker<Integer> done;

  Forgetting(int keys, Asker<Integer> done) {
    this.missing = new AtomicInteger(keys);
    this.done = done;
  }

  @Override
  public void accept(Boolean hadState) {
    if (hadState) {
      forgotten.incrementAndGet();
    }
    if (missing.decrementAndGet() == 0) {
      done.accept(forgotten.get());
    }
  }

  /** The first failure answers for all: whoever asks again does no harm. */
  @Override
  public void fail(RuntimeException cause) {
    if (missing.getAndSet(0) > 0) {
      done.fail(cause);
    }
  }
}
