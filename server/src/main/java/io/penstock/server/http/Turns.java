package io.penstock.server.http;

import io.netty.channel.EventLoop;
import io.penstock.server.node.Answer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers that a connection waits for, in the order of its checks. Confined to its event loop;
 * only the answers come on any thread.
 */
final class Turns {
  /** Where the answer to one check comes. */
  private final class Turn implements Consumer<Answer> {
    private volatile @Nullable Answer answer;

    @Override
    public void accept(Answer given) {
      answer = given;
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

  /** Begins to ask a check; {@link #asked} or {@link #takeBack} must follow. */
  Consumer<Answer> ask() {
    asking = true;
    Turn turn = new Turn();
    waiting.addLast(turn);
    return turn;
  }

  void asked() {
    asking = false;
  }

  /** The check that was begun last was none. */
  void takeBack() {
    asking = false;
    waiting.removeLast();
  }

  /** The answer whose turn it is; null if it has not come. */
  @Nullable Answer next() {
    Turn first = waiting.peekFirst();
    Answer answer = first == null ? null : first.answer;
    if (answer != null) {
      waiting.removeFirst();
    }
    return answer;
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
