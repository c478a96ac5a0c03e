package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
}
