package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testkit.LogLines;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** What nodes ask and answer carries the number of its format, and another one is refused. */
class QuestionFormatsTest {
  private static final String FORMATS = "../docs/upgrading.md";
  private static final Question<Boolean> QUESTION = new Question.Forget(1);

  private static void assertRefused(byte[] bytes, int format, Consumer<byte[]> reading) {
    reading.accept(bytes);
    byte[] newer = bytes.clone();
    newer[0] = 9;
    assertThatThrownBy(() -> reading.accept(newer))
        .isInstanceOf(MalformedException.class)
        .hasMessage("format: 9 (expected: " + format + "; another version wrote it)");
  }

  @Test
  void question_ofAnotherFormat_isRefused() {
    byte[] bytes = QuestionCodec.write(new Delivery<>(1, 2, 0, 50, 3, QUESTION));
    assertRefused(bytes, QuestionCodec.FORMAT, QuestionCodec::read);
  }

  @Test
  void response_ofAnotherFormat_isRefused() {
    List<byte[]> responses =
        List.of(
            Response.answered(QUESTION, true), Response.notOwner("n2"), Response.unknown("gone"));
    for (byte[] each : responses) {
      assertRefused(each, Response.FORMAT, bytes -> Response.read(QUESTION, bytes));
    }
  }

  @Test
  void cancel_ofAnotherFormat_isRefused() {
    assertRefused(new Cancel(1, 2).write(), Cancel.FORMAT, Cancel::read);
  }

  @Test
  void nodeOrder_ofAnotherFormat_isRefused() {
    byte[] bytes = NodeOrder.of(NodeOrder.Wish.TELL).write();
    assertRefused(bytes, NodeOrder.FORMAT, NodeOrder::read);
  }

  @Test
  void nodeState_ofAnotherFormat_isRefused() {
    Standing standing = new Standing("meta", "n2", 3, 4, List.of("n1", "n2"));
    NodeState state = new NodeState("n1", /* reachable= */ true, true, 5L, List.of(standing));
    assertThat(NodeState.read("n1", state.write()).ahead(5L)).isEqualTo(state);
    assertRefused(state.write(), NodeState.FORMAT, bytes -> NodeState.read("n1", bytes));
  }

  @Test
  void survey_ofAnotherFormat_isRefused() {
    Survey survey = new Survey("n1", () -> null, (node, question, max) -> noAnswer());
    byte[] bytes = survey.answer(NodeOrder.Wish.RATES).toCompletableFuture().join();
    assertRefused(bytes, Survey.FORMAT, each -> Survey.read(each, Survey::rate));
  }

  private static CompletionStage<byte[]> noAnswer() {
    throw new AssertionError("nobody else is asked");
  }

  @Test
  void desk_askedOftenInAnotherFormat_logsItOnce() {
    try (LogLines log = new LogLines(OwnerDesk.class.getName(), Level.WARNING)) {
      OwnerDesk desk = new OwnerDesk("n1", Owners.of(List.of()), new ManualClock());
      for (int i = 0; i < 99; i++) {
        desk.answer(new byte[] {99}, answer -> {});
        desk.answer(new byte[] {(byte) (100 + i % 20)}, answer -> {});
      }
      assertThat(log.lines()).as("each once, and not endlessly many").hasSize(16);
    }
  }

  /** They come through the same door: a number that two of them have would be read as the other. */
  @Test
  void formats_ofWhatIsForwarded_areAllDifferent() {
    assertThat(List.of(QuestionCodec.FORMAT, Cancel.FORMAT, NodeOrder.FORMAT))
        .doesNotHaveDuplicates();
  }

  @Test
  void formats_all_areDocumented() throws IOException {
    assertThat(Files.readString(Path.of(FORMATS)))
        .contains("| `Delivery` | " + QuestionCodec.FORMAT + " |")
        .contains("| `Cancel` | " + Cancel.FORMAT + " |")
        .contains("| `NodeOrder` | " + NodeOrder.FORMAT + " |")
        .contains("| `NodeState` | " + NodeState.FORMAT + " |")
        .contains("| `Survey` | " + Survey.FORMAT + " |")
        .contains("| `Response` | " + Response.FORMAT + " |");
  }
}
