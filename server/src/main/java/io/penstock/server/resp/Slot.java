package io.penstock.server.resp;

import io.penstock.server.node.Asker;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.UnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The place of an answer in the order of a connection. Confined to the event loop, except that the
 * answer may come on any thread.
 */
final class Slot<T> implements Asker<T> {
  private static final Logger LOG = System.getLogger(Slot.class.getName());

  /** How an answer is told. */
  interface Writing<T> {
    void write(T answer, Output out);
  }

  private final Replies replies;
  private final Writing<T> writing;
  private volatile @Nullable T answer;
  private volatile @Nullable RuntimeException failure;
  private boolean waited;
  private @Nullable Output after;

  Slot(Replies replies, Writing<T> writing) {
    this.replies = replies;
    this.writing = writing;
  }

  @Override
  public void accept(T given) {
    answer = given;
    come();
  }

  @Override
  public void fail(RuntimeException cause) {
    failure = cause;
    come();
  }

  private void come() {
    // An answer that comes at once is written by the one who asked.
    if (!replies.isOnLoop() || waited) {
      replies.wake();
    }
  }

  void await() {
    waited = true;
  }

  boolean isAnswered() {
    return answer != null || failure != null;
  }

  /** Where the answers go that come after this one, while it is awaited. */
  Output after() {
    if (after == null) {
      after = new Output(64);
    }
    return after;
  }

  /** The number of bytes that wait behind this answer. */
  int bytesAfter() {
    return after == null ? 0 : after.length();
  }

  /** Writes the answer, which has come, and all that waited behind it. */
  void write(Output out) {
    T given = answer;
    RuntimeException cause = failure;
    if (given != null) {
      writing.write(given, out);
    } else if (cause != null) {
      out.error(line(cause));
    }
    if (after != null) {
      out.append(after);
    }
  }

  private static String line(RuntimeException cause) {
    if (cause instanceof RefusedException refused) {
      return refused.line();
    }
    if (cause instanceof RefundRefusedException) {
      return Clean.line("NOPERM " + cause.getMessage());
    }
    if (cause instanceof IllegalArgumentException || cause instanceof UnavailableException) {
      return Clean.line("ERR " + cause.getMessage());
    }
    LOG.log(Level.ERROR, "a command failed", cause);
    return "ERR internal error";
  }
}
