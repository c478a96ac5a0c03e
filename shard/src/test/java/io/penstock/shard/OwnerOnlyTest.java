package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void lock_ofANewFolder_makesItTheOwners(@TempDir Path parent) throws IOException {
    Path above = parent.resolve("a");
    Path folder = above.resolve("data");
    FolderLock.take(folder).close();
    assertThat(permissions(folder)).isEqualTo("rwx------");
    assertThat(permissions(above)).isEqualTo("rwx------");
  }

  @Test
  void lock_ofAFolderThatIsThere_leavesItAsItIs(@TempDir Path parent) throws IOException {
    Path folder = Files.createDirectory(parent.resolve("data"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    FolderLock.take(folder).close();
    assertThat(permissions(folder)).isEqualTo("rwxr-xr-x");
  }

  @Test
  void createFile_thatIsThere_leavesItAsItIs(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "text");
    OwnerOnly.createFile(file);
    assertThat(file).hasContent("text");
    OwnerOnly.createFile(folder.resolve("other"));
    assertThat(permissions(folder.resolve("other"))).isEqualTo("rw-------");
  }
}
