package io.penstock.server.resp;

import io.netty.util.concurrent.EventExecutor;
import io.penstock.server.node.Throttled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The answers of a connection, in the order of its commands. Confined to the event loop, except
 * {@link #wake}.
 *
 * <p>As long as every answer comes at once there is nothing here: they go to the output of the
 * loop. Behind one that must wait for the disk, the others wait too.
 */
final class Replies {
  private static final int HELD_BYTES_MAX = 256 << 10;

  private final EventExecutor executor;
  private final Output output;
  private final Runnable drain;
  private final int waitingMax;
  private final Deque<Slot<?>> waiting = new ArrayDeque<>(0);
  private final Supplier<Slot<Throttled>> throttled = this::throttledSlot;
  private Slot.Writing<Throttled> throttledWriting = ThrottleCommand::write;
  private final AtomicBoolean woken = new AtomicBoolean();

  /** Bytes behind all slots but the last. */
  private int heldBytes;

  /**
   * Makes the answers of a connection.
   *
   * @param drain calls {@link #drain}, and sends what came out
   */
  Replies(EventExecutor executor, Output output, int waitingMax, Runnable drain) {
    this.executor = executor;
    this.output = output;
    this.waitingMax = waitingMax;
    this.drain = drain;
  }

  /** Where the answer to the next command goes if it is known. */
  Output out() {
    Slot<?> last = waiting.peekLast();
    return last == null ? output : last.after();
  }

  /** Where the answer to the next command will come; {@link #settle} must follow. */
  <T> Slot<T> slot(Slot.Writing<T> writing) {
    return new Slot<>(this, writing);
  }

  /**
   * Makes a place for an answer of {@code CL.THROTTLE} that is not known at once: nearly every one
   * is, so none is made before that.
   */
  Supplier<Slot<Throttled>> throttled(Slot.Writing<Throttled> writing) {
    throttledWriting = writing;
    return throttled;
  }

  private Slot<Throttled> throttledSlot() {
    Slot<Throttled> slot = slot(throttledWriting);
    settle(slot);
    return slot;
  }

  /** Writes the answer of a slot if it has come, else keeps its place. */
  void settle(Slot<?> slot) {
    if (slot.isAnswered()) {
      slot.write(out());
    } else {
      Slot<?> last = waiting.peekLast();
      heldBytes += last == null ? 0 : last.bytesAfter();
      slot.await();
      waiting.addLast(slot);
    }
  }

  boolean isOnLoop() {
    return executor.inEventLoop();
  }

  /** Has what came since written by the event loop: once, however many came. Thread-safe. */
  void wake() {
    if (woken.compareAndSet(false, true)) {
      executor.execute(drain);
    }
  }

  /** Writes everything that need not wait any more. */
  void drain() {
    // Before looking: an answer that comes now wakes again.
    woken.set(false);
    for (Slot<?> first = waiting.peekFirst();
        first != null && first.isAnswered();
        first = waiting.peekFirst()) {
      waiting.removeFirst();
      first.write(output);
      heldBytes = waiting.isEmpty() ? 0 : heldBytes - first.bytesAfter();
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Whether no more commands should be taken until answers have come. */
  boolean isFull() {
    Slot<?> last = waiting.peekLast();
    return last != null
        && (waiting.size() >= waitingMax || heldBytes + last.bytesAfter() > HELD_BYTES_MAX);
  }
}
