package io.penstock.server.resp;

import io.penstock.server.node.Answer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The place of an answer in the order of a connection. Confined to the event loop, except that the
 * answer may come on any thread.
 */
final class Slot implements Consumer<Answer> {
  private final Replies replies;
  private final boolean resp3;
  private volatile @Nullable Answer answer;
  private boolean waited;
  private @Nullable Output after;

  Slot(Replies replies, boolean resp3) {
    this.replies = replies;
    this.resp3 = resp3;
  }

  @Override
  public void accept(Answer given) {
    answer = given;
    // An answer that comes at once is written by the one who asked.
    if (!replies.isOnLoop() || waited) {
      replies.wake();
    }
  }

  void await() {
    waited = true;
  }

  boolean isAnswered() {
    return answer != null;
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
    Answer given = answer;
    if (given != null) {
      CheckCommand.write(given, resp3, out);
    }
    if (after != null) {
      out.append(after);
    }
  }
}
