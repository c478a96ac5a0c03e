package io.penstock.server.http;

import io.netty.channel.EventLoop;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The answers that a connection waits for, in the order of its checks. Confined to its event loop;
 * only the answers come on any thread.
 */
final class Turns {
  /** Where the answer to one check comes, or why there is none. */
  final class Turn implements Asker<Answer> {
    private volatile @Nullable Answer answer;
    private volatile @Nullable Refusal refusal;

    @Nullable Answer answer() {
      return answer;
    }

    /** Why there is no answer. */
    @Nullable Refusal refusal() {
      return refusal;
    }

    private boolean hasCome() {
      return answer != null || refusal != null;
    }

    @Override
    public void accept(Answer given) {
      answer = given;
      tell();
    }

    @Override
    public void fail(RuntimeException cause) {
      refusal = Lane.loggedRefusal(cause);
      tell();
    }

    private void tell() {
      // Whoever is asking looks for the answer by itself.
      if (!loop.inEventLoop() || !asking) {
        wake();
      }
    }
  }

  private final EventLoop loop;
  private final Runnable come;
  private final Deque<Turn> waiting = new ArrayDeque<>(2);
  private final AtomicBoolean woken = new AtomicBoolean();
  private boolean asking;

  /**
   * Makes the turns of a connection.
   *
   * @param come called by the event loop when answers have come, once for many
   */
  Turns(EventLoop loop, Runnable come) {
    this.loop = loop;
    this.come = come;
  }

  /** Begins to ask a check; {@link #asked} must follow. */
  Asker<Answer> ask() {
    asking = true;
    Turn turn = new Turn();
    waiting.addLast(turn);
    return turn;
  }

  void asked() {
    asking = false;
  }

  /** The turn that it is, its answer come; null if it has not. */
  @Nullable Turn next() {
    Turn first = waiting.peekFirst();
    return first != null && first.hasCome() ? waiting.removeFirst() : null;
  }

  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  private void wake() {
    if (woken.compareAndSet(false, true)) {
      loop.execute(
          () -> {
            // Before looking: an answer that comes now wakes again.
            woken.set(false);
            come.run();
          });
    }
  }
}
