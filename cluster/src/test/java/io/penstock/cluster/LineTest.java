package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One stream after the other to another node. */
class LineTest {
  private static final Duration BUDGET = Duration.ofMillis(50);

  private final ManualClock clock = new ManualClock();
  private final List<QuestionStream> opened = new ArrayList<>();
  private int hungUp;
  private final Line line = new Line(this::open, () -> hungUp++, clock);

  private QuestionStream open() {
    QuestionStream stream = new QuestionStream(Runnable::run, clock, new Traffic());
    stream.beforeStart(new FakeStream());
    opened.add(stream);
    return stream;
  }

  private CompletableFuture<byte[]> ask() {
    return line.ask(new byte[1], BUDGET).toCompletableFuture();
  }

  @Test
  void r20_manyQuestionsOnOneLine_shareAStream() {
    assertThat(ask()).isNotDone();
    assertThat(ask()).isNotDone();
    assertThat(opened).hasSize(1);
  }

  @Test
  void stream_brokeAfterAWhile_isFollowedByTheNextAtOnce() {
    CompletableFuture<byte[]> lost = ask();
    clock.advance(Duration.ofSeconds(1));
    opened.get(0).onError(new IOException("reset"));
    assertThat(lost).isCompletedExceptionally();
    assertThat(ask()).isNotDone();
    assertThat(opened).hasSize(2);
  }

  @Test
  void streams_breakAtOnce_areOpenedFewTimes() {
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<byte[]> answer = ask();
      opened.get(opened.size() - 1).onError(new IOException("refused"));
      assertThat(answer).isCompletedExceptionally();
      clock.advance(Duration.ofMillis(1));
    }
    assertThat(opened).as("in a second").hasSize(20);
  }

  /** A connection that leads nowhere says nothing for many minutes. */
  @Test
  void node_saysNothingThoughAsked_isCalledAnew() {
    CompletableFuture<byte[]> first = ask();
    clock.advance(Duration.ofNanos(QuestionStream.SILENT_NANOS_MAX + 1));
    assertThat(ask()).as("on the next stream").isNotDone();
    assertThat(first).isCompletedExceptionally();
    assertThat(hungUp).isEqualTo(1);
    assertThat(ask()).isNotDone();
    assertThat(opened).hasSize(2);
    assertThat(hungUp).isEqualTo(1);
  }
}
