package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that fills up while decisions go on, or cannot be written at all. */
@Timeout(120)
class FullDiskIT {
  private static final int MEGABYTE = 1 << 20;

  @TempDir Path folder;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = isRun("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder.toString());
    assumeTrue(mounted, "no file system can be mounted here: not root");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(isRun("umount", folder.toString())).isTrue();
    }
  }

  private static boolean isRun(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes until there is no room. */
  private static void fill(Path file) {
    try (var out = Files.newOutputStream(file)) {
      for (int i = 0; i < 16 * MEGABYTE / 512; i++) {
        out.write(new byte[512]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private void checkDeeds(int deeds) {
    try (Shard shard = Ledger.open(folder)) {
      Ledger ledger = new Ledger(shard);
      assertThat(shard.ids().size()).isEqualTo(deeds);
      assertThat(ledger.used(0)).isEqualTo(deeds);
      assertThat(ledger.used(1)).isEqualTo(deeds);
    }
  }

  @Test
  void isDurable_diskFillsUpAndIsFreed_recoversByItself() throws Exception {
    int deeds = 0;
    try (Shard shard = Ledger.open(folder)) {
      Ledger ledger = new Ledger(shard);
      fill(folder.resolve("filler"));
      while (shard.isDurable()) {
        ledger.decide(deeds++, 0, 1);
        Ledger.isDurable(shard);
      }
      assertThat(shard.trouble()).contains("No space left on device");
      for (int i = 0; i < 1_000; i++) {
        ledger.decide(deeds++, 0, 1);
      }
      assertThat(ledger.used(0)).isEqualTo(deeds);
      assertThat(Ledger.isDurable(shard)).isFalse();
      Files.delete(folder.resolve("filler"));
      Await.until(shard::isDurable);
      ledger.decide(deeds++, 0, 1);
      assertThat(Ledger.isDurable(shard)).isTrue();
      assertThat(shard.trouble()).isNull();
    }
    checkDeeds(deeds);
  }

  @Test
  void open_readOnly_refusesAndNamesTheFolder() throws Exception {
    assertThat(isRun("mount", "-o", "remount,ro", folder.toString())).isTrue();
    assertThatThrownBy(() -> Ledger.open(folder))
        .isInstanceOf(FolderException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("Read-only file system");
    assertThat(isRun("mount", "-o", "remount,rw", folder.toString())).isTrue();
  }
}
