package io.penstock.cluster;

import io.penstock.core.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way to another node: one stream after the other, as they break. Thread-safe. */
final class Line {
  /** Between two streams, so that a node that is gone is not called again and again. */
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Supplier<QuestionStream> opening;
  private final Runnable hangingUp;
  private final Clock clock;
  private @Nullable QuestionStream current;
  private long openedNanos;

  /**
   * A line that opens with the first question.
   *
   * @param hangingUp drops the connection, which may be one that leads nowhere
   */
  Line(Supplier<QuestionStream> opening, Runnable hangingUp, Clock clock) {
    this.opening = opening;
    this.hangingUp = hangingUp;
    this.clock = clock;
  }

  /** Asks; fails at once if the stream broke just now. */
  CompletionStage<byte[]> ask(byte[] question, Duration timeout) {
    QuestionStream stream = stream();
    if (stream == null) {
      return brokenJustNow();
    }
    if (!stream.isSilent()) {
      return stream.ask(question, timeout);
    }
    if (hangUp(stream)) {
      stream.end(new IOException("stream: silent"));
    }
    QuestionStream next = stream();
    return next == null ? brokenJustNow() : next.ask(question, timeout);
  }

  private static CompletionStage<byte[]> brokenJustNow() {
    return CompletableFuture.failedFuture(new IOException("stream: broken just now"));
  }

  /** Once for each stream, and before the next one opens: that one is on another connection. */
  private synchronized boolean hangUp(QuestionStream silent) {
    if (current != silent) {
      return false;
    }
    current = null;
    hangingUp.run();
    return true;
  }

  private synchronized @Nullable QuestionStream stream() {
    QuestionStream stream = current;
    if (stream != null && !stream.isBroken()) {
      return stream;
    }
    long nowNanos = clock.nanos();
    if (stream != null && nowNanos - openedNanos < PAUSE_NANOS) {
      return null;
    }
    openedNanos = nowNanos;
    QuestionStream next = opening.get();
    current = next;
    return next;
  }
}
