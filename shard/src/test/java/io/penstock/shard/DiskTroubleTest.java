package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class DiskTroubleTest {
  private static final String PATH = "/data/journal-1.log";

  @Test
  void of_anyFailure_tellsNoPath() {
    assertThat(DiskTrouble.of(new NoSuchFileException(PATH))).isEqualTo("not there");
    assertThat(DiskTrouble.of(new UncheckedIOException(new AccessDeniedException(PATH))))
        .isEqualTo("no permission");
    assertThat(DiskTrouble.of(new FileSystemException(PATH, null, "Read-only file system")))
        .isEqualTo("Read-only file system");
    assertThat(DiskTrouble.of(new FileSystemException(PATH))).isEqualTo("FileSystemException");
    assertThat(DiskTrouble.of(new IOException("No space left on device")))
        .isEqualTo("No space left on device");
    assertThat(DiskTrouble.of(new IllegalStateException(PATH))).isEqualTo("IllegalStateException");
  }
}
