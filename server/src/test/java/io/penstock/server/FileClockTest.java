package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.config.InvalidConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileClockTest {
  private static final long NOW = 1_794_000_000_123_456_789L;

  @TempDir Path folder;

  private Path write(long nanos) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return Files.write(
        folder.resolve("clock"),
        bytes.putLong(nanos).array(),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE);
  }

  @Test
  void nanos_fileIsWritten_stepsWithIt() throws IOException {
    FileClock clock = FileClock.of(write(NOW));
    assertThat(clock.nanos()).isEqualTo(NOW);
    assertThat(clock.nanos()).isEqualTo(NOW);
    write(NOW + 1);
    assertThat(clock.nanos()).isEqualTo(NOW + 1);
  }

  @Test
  void nanos_fileGoesBack_standsStill() throws IOException {
    FileClock clock = FileClock.of(write(NOW));
    assertThat(clock.nanos()).isEqualTo(NOW);
    write(NOW - 1);
    assertThat(clock.nanos()).isEqualTo(NOW);
    write(NOW + 2);
    assertThat(clock.nanos()).isEqualTo(NOW + 2);
  }

  @Test
  void of_shortFile_isRefused() throws IOException {
    Path file = Files.write(folder.resolve("short"), new byte[7]);
    assertThatThrownBy(() -> FileClock.of(file))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessage("clock: " + file + " (expected: a file of 8 bytes)");
  }

  @Test
  void of_missingFile_isRefused() {
    Path file = folder.resolve("missing");
    assertThatThrownBy(() -> FileClock.of(file))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageStartingWith("clock: " + file + " (expected: a file that can be read");
  }
}
