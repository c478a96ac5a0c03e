package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;

/**
 * One answer made of those of several groups; a failure, if one of them fails. Thread-safe.
 *
 * <p>What is asked so may be asked again: what some of them have done already changes nothing then.
 */
final class Several<T> implements Asker<T> {
  private final AtomicInteger missing;
  private final AtomicReference<T> sum = new AtomicReference<>();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final BinaryOperator<T> both;
  private final Asker<T> done;

  /**
   * Waits for answers.
   *
   * @param both makes one answer of two
   */
  Several(int answers, BinaryOperator<T> both, Asker<T> done) {
    this.missing = new AtomicInteger(answers);
    this.both = both;
    this.done = done;
  }

  @Override
  public void accept(T answer) {
    sum.accumulateAndGet(
        answer, (before, next) -> before == null ? next : both.apply(before, next));
    count();
  }

  @Override
  public void fail(RuntimeException cause) {
    failure.compareAndSet(null, cause);
    count();
  }

  private void count() {
    if (missing.decrementAndGet() == 0) {
      RuntimeException cause = failure.get();
      if (cause == null) {
        done.accept(sum.get());
      } else {
        done.fail(cause);
      }
    }
  }
}
