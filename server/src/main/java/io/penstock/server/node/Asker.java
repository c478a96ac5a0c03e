package io.penstock.server.node;

import java.util.function.Consumer;

/**
 * Whoever asked a node and waits: it is told the answer, or why there is none, once.
 *
 * <p>It may be told on any thread, must not block, and goes back to its own event loop itself.
 */
public interface Asker<T> extends Consumer<T> {
  /** There is no answer. */
  void fail(RuntimeException cause);

  /** Two ways on, as one. */
  static <T> Asker<T> of(Consumer<? super T> answered, Consumer<RuntimeException> failed) {
    return new Asker<>() {
      @Override
      public void accept(T answer) {
        answered.accept(answer);
      }

      @Override
      public void fail(RuntimeException cause) {
        failed.accept(cause);
      }
    };
  }
}
