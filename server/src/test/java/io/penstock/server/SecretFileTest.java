package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    }
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    assertThat(secret(folder)).isEqualTo(secret);
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
}
