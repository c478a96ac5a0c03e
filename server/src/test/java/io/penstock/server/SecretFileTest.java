package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.server.node.Node;
import io.penstock.testkit.LogLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFileTest {
  private static Node.Secret secret(Path folder) throws IOException {
    return SecretFile.of(folder, Inventory.of(folder));
  }

  @Test
  void of_sameFolder_isAlwaysTheSame(@TempDir Path one, @TempDir Path other) throws IOException {
    assertThat(secret(one)).isEqualTo(secret(one));
    assertThat(secret(other)).isNotEqualTo(secret(one));
  }

  @Test
  void of_oneByteDamagedOrTornTail_isStillTheSame(@TempDir Path folder) throws IOException {
    Node.Secret secret = secret(folder);
    Path file = folder.resolve("secret.bin");
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 1;
      Files.write(file, damaged);
      assertThat(secret(folder)).isEqualTo(secret);
      assertThat(file).hasBinaryContent(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-28, -20, -1, 9})
  void of_oneCopyCutOffOrMoreThanTwo_isRepairedAndSaidOnce(int more, @TempDir Path folder)
      throws IOException {
    Node.Secret secret = secret(folder);
    Path file = folder.resolve("secret.bin");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length + more));
    try (LogLines log = new LogLines(SecretFile.class.getName(), Level.WARNING)) {
      assertThat(secret(folder)).isEqualTo(secret);
      assertThat(file).hasBinaryContent(whole);
      assertThat(permissions(file)).isEqualTo("rw-------");
      assertThat(secret(folder)).isEqualTo(secret);
      assertThat(log.lines())
          .containsExactly(
              file + ": one of its two copies was damaged; it is written anew from the other one");
    }
  }

  @Test
  void of_oneCopyDamagedWhereNothingCanBeWritten_isReadAndSaid(@TempDir Path folder)
      throws IOException {
    Node.Secret secret = secret(folder);
    Path file = folder.resolve("secret.bin");
    byte[] torn = Arrays.copyOf(Files.readAllBytes(file), 30);
    Files.write(file, torn);
    Files.createDirectories(folder.resolve("secret.bin.draft/taken"));
    try (LogLines log = new LogLines(SecretFile.class.getName(), Level.WARNING)) {
      assertThat(secret(folder)).isEqualTo(secret);
      assertThat(file).hasBinaryContent(torn);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .isEqualTo(file + ": one of its two copies is damaged, and cannot be written anew");
    }
  }

  @Test
  void of_anotherFormat_isRefusedAndLeftAlone(@TempDir Path folder) throws IOException {
    secret(folder);
    Path file = folder.resolve("secret.bin");
    ByteBuffer newer = ByteBuffer.wrap(Files.readAllBytes(file));
    for (int from = 0; from < newer.capacity(); from += newer.capacity() / 2) {
      newer.putInt(from, 9);
      CRC32C sum = new CRC32C();
      sum.update(newer.array(), from, Integer.BYTES + 2 * Long.BYTES);
      newer.putLong(from + Integer.BYTES + 2 * Long.BYTES, sum.getValue());
    }
    Files.write(file, newer.array());
    assertThatThrownBy(() -> secret(folder))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ": format 9 (expected: 1; another version wrote it)");
    assertThat(file).hasBinaryContent(newer.array());
  }

  @Test
  void formats_ofThisPackage_areDocumented() throws IOException {
    assertThat(Files.readString(Path.of("../docs/upgrading.md")))
        .contains("| `secret.bin` | " + SecretFile.FORMAT + " |")
        .contains("| `Packed` | " + Packed.FORMAT + " |");
  }

  @Test
  void of_allDamaged_isKeptAsideAndMadeAnew(@TempDir Path folder) throws IOException {
    Node.Secret secret = secret(folder);
    Path file = folder.resolve("secret.bin");
    Files.write(file, new byte[3]);
    Node.Secret made = secret(folder);
    assertThat(made).isNotEqualTo(secret).isEqualTo(secret(folder));
    assertThat(folder.resolve("secret.bin.damaged")).hasBinaryContent(new byte[3]);
  }

  /** A draft that a kill has left behind is not written to: others may have it open. */
  @Test
  void of_newFolder_nobodyElseCanReadIt(@TempDir Path folder) throws IOException {
    Path draft = Files.createFile(folder.resolve("secret.bin.draft"));
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(secret(folder)).isNotNull();
    assertThat(permissions(folder.resolve("secret.bin"))).isEqualTo("rw-------");
  }

  @Test
  void of_fileThatOthersCouldRead_theyCannotAnyMore(@TempDir Path folder) throws IOException {
    Node.Secret secret = secret(folder);
    Path file = folder.resolve("secret.bin");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(secret(folder)).isEqualTo(secret);
    assertThat(permissions(file)).isEqualTo("rw-------");
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
