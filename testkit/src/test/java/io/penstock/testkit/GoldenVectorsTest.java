package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The file is what the oracle says; {@code -Dpenstock.vectors=write} writes it anew. */
class GoldenVectorsTest {
  private static final Path FILE =
      Path.of("src/main/resources/io/penstock/testkit", GoldenVectors.FILE);

  @Test
  void file_writtenAnewByTheOracle_isTheSame() throws IOException {
    String anew = VectorWriter.write();
    if ("write".equals(System.getProperty("penstock.vectors"))) {
      Files.writeString(FILE, anew);
    }
    assertThat(Files.readString(FILE)).isEqualTo(anew);
  }

  @Test
  void lines_allOfTheFile_areRead() throws IOException {
    long told = Files.readString(FILE).lines().filter(GoldenVectorsTest::isLine).count();
    assertThat(GoldenVectors.lines()).hasSize(Math.toIntExact(told));
    assertThat(GoldenVectors.lines().get(0).verb()).isEqualTo(GoldenVectors.Verb.KEY);
  }

  private static boolean isLine(String text) {
    return !text.isBlank() && !text.startsWith("#");
  }

  @Test
  @SuppressWarnings("NullAway")
  void line_badPart_isRefusedByName() {
    GoldenVectors.Verb take = GoldenVectors.Verb.TAKE;
    assertThatNullPointerException()
        .isThrownBy(() -> new GoldenVectors.Line(null, -1, 0, "", "", ""))
        .withMessage("verb: null (expected: a verb)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GoldenVectors.Line(take, -1, 0, "", "", ""))
        .withMessage("micros: -1 (expected: >= 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GoldenVectors.Line(take, 0, -1, "", "", ""))
        .withMessage("cost: -1 (expected: >= 0)");
    assertThatNullPointerException()
        .isThrownBy(() -> new GoldenVectors.Line(take, 0, 1, "", "", null))
        .withMessage("answer: null (expected: an answer, or an empty text)");
  }
}
