package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** Questions to another node, and what becomes of them. */
class QuestionStreamTest {
  private static final Duration BUDGET = Duration.ofMillis(50);

  private final ManualClock clock = new ManualClock();
  private final FakeStream stream = new FakeStream();
  private final Traffic traffic = new Traffic();
  private final QuestionStream questions = new QuestionStream(Runnable::run, clock, traffic);

  QuestionStreamTest() {
    questions.beforeStart(stream);
  }

  private CompletableFuture<byte[]> ask(String text) {
    return questions.ask(text.getBytes(UTF_8), BUDGET);
  }

  /** Does not wait: one that was taken instead of refused is never answered. */
  private static AbstractThrowableAssert<?, ?> assertFailed(CompletableFuture<byte[]> answer) {
    return assertThatThrownBy(() -> answer.getNow(new byte[0]));
  }

  private void answer(Slip... slips) {
    questions.onNext(Parcel.write(List.of(slips)));
  }

  private static Slip letter(long number, String text) {
    return Slip.letter(number, text.getBytes(UTF_8));
  }

  @Test
  void answers_inAnotherOrder_findTheirQuestions() {
    CompletableFuture<byte[]> a = ask("a");
    CompletableFuture<byte[]> b = ask("b");
    CompletableFuture<byte[]> c = ask("c");
    assertThat(traffic.outstanding()).isEqualTo(3);
    answer(letter(3, "C"), letter(1, "A"));
    assertThat(a.join()).asString(UTF_8).isEqualTo("A");
    assertThat(c.join()).asString(UTF_8).isEqualTo("C");
    assertThat(b).isNotDone();
    answer(Slip.failure(2, new IllegalStateException("no")), letter(2, "late"), letter(9, "odd"));
    assertFailed(b).hasCauseInstanceOf(IOException.class).hasMessageEndingWith("no");
    assertThat(traffic.outstanding()).isZero();
  }

  /** R4: what has no answer may have been decided. */
  @Test
  void stream_breaks_losesAllThatIsOutstandingAndTakesNoMore() {
    CompletableFuture<byte[]> a = ask("a");
    CompletableFuture<byte[]> b = ask("b");
    answer(letter(1, "A"));
    questions.onError(new IOException("reset"));
    assertThat(a.join()).asString(UTF_8).isEqualTo("A");
    assertFailed(b).hasMessageEndingWith("reset");
    assertFailed(ask("c")).hasMessageEndingWith("reset");
    assertThat(questions.isBroken()).isTrue();
    assertThat(stream.sent).hasSize(2);
    assertThat(traffic.outstanding()).isZero();
  }

  @Test
  void answers_thatCannotBeRead_endTheStream() {
    CompletableFuture<byte[]> a = ask("a");
    questions.onNext(new byte[] {2});
    assertFailed(a).hasMessageEndingWith("format: 2 (expected: 1..1)");
    assertThat(stream.cancelled).isTrue();
  }

  @Test
  void r20_tooManyOutstanding_areRefusedUntilNobodyWaitsForThem() {
    for (int i = 0; i < QuestionStream.OUTSTANDING_MAX; i++) {
      assertThat(ask("a")).isNotDone();
    }
    assertFailed(ask("b"))
        .hasMessageEndingWith("questions: 16384 outstanding (expected: fewer than 16384)");
    answer(letter(1, "A"));
    assertThat(ask("c")).isNotDone();
    assertFailed(ask("d")).hasMessageContaining("outstanding");
    clock.advance(BUDGET.plusNanos(1));
    assertThat(ask("e")).isNotDone();
    assertThat(traffic.outstanding()).isEqualTo(1);
  }

  @Test
  void silence_isThatOfANodeThatWasAsked() {
    clock.advance(Duration.ofHours(1));
    assertThat(questions.isSilent()).as("nobody asked").isFalse();
    assertThat(ask("a")).isNotDone();
    clock.advance(Duration.ofSeconds(2));
    assertThat(questions.isSilent()).isFalse();
    clock.advance(Duration.ofNanos(1));
    assertThat(questions.isSilent()).isTrue();
    assertThat(ask("b")).isNotDone();
    answer(letter(1, "A"));
    assertThat(questions.isSilent()).as("it has answered something").isFalse();
    answer(letter(2, "B"));
    clock.advance(Duration.ofHours(1));
    assertThat(questions.isSilent()).as("it has answered everything").isFalse();
  }

  /** R20: what was never sent could not be answered. */
  @Test
  void r20_questionsOverBeforeTheyWereSent_areNoSilence() {
    stream.ready = false;
    CompletableFuture<byte[]> unsent = ask("a");
    clock.advance(BUDGET.plusNanos(1));
    stream.becomeReady();
    assertThat(stream.sent).isEmpty();
    assertThat(unsent).isNotDone();
    assertThat(traffic.outstanding()).isZero();
    clock.advance(Duration.ofHours(1));
    assertThat(questions.isSilent()).as("nobody was asked").isFalse();
    assertThat(ask("b")).isNotDone();
    clock.advance(Duration.ofSeconds(3));
    assertThat(questions.isSilent()).as("it was asked").isTrue();
  }

  @Test
  void r20_someOverBeforeTheyWereSent_silenceIsThatOfTheOthers() {
    assertThat(ask("sent")).isNotDone();
    stream.ready = false;
    assertThat(ask("unsent")).isNotDone();
    clock.advance(BUDGET.plusNanos(1));
    stream.becomeReady();
    assertThat(traffic.outstanding()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(2));
    assertThat(questions.isSilent()).isTrue();
  }

  @Test
  void r20_firstIsOverBeforeItWasSent_silenceBeginsWithTheNext() {
    stream.ready = false;
    assertThat(ask("unsent")).isNotDone();
    clock.advance(Duration.ofMillis(1_900));
    assertThat(ask("sent")).isNotDone();
    stream.becomeReady();
    assertThat(stream.sent).hasSize(1);
    assertThat(traffic.outstanding()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(2));
    assertThat(questions.isSilent()).as("asked two seconds ago").isFalse();
    clock.advance(Duration.ofNanos(1));
    assertThat(questions.isSilent()).isTrue();
  }
}
