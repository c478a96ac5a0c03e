package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on a real disk of two megabytes that fills up. */
class PolicyStoreFullDiskIT {
  private static final InstantSource CLOCK = () -> Instant.ofEpochMilli(1_700_000_000_000L);
  private static final Expected ANY = new Expected.Any();
  private static final String TEN = "{\"limits\":[\"10/s\"]}";

  @TempDir Path folder;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=2m", "penstock-test", folder.toString());
    assumeTrue(mounted, "a small disk cannot be mounted here: needs root");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", folder.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).inheritIO().start();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  @Test
  void put_diskFull_failsWhileReadsGoOnAndWorksAgainWithRoom() throws IOException {
    Path file = folder.resolve("policies.db");
    List<Long> heard = new ArrayList<>();
    try (PolicyStore store = PolicyStore.open(file, CLOCK)) {
      store.onChange(change -> heard.add(change.revision()));
      store.put(Kind.POLICY, "api/user", TEN, new Expected.Absent(), "anna");
      Path ballast = folder.resolve("ballast");
      fill(ballast);
      int written = writeUntilFull(store);
      assertThatThrownBy(() -> store.put(Kind.POLICY, "api/user", TEN, ANY, "anna"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("policies: the disk is full (expected: a disk that can be written)");
      assertThat(store.trouble()).startsWith("policies: the disk is full");
      assertThat(Objects.requireNonNull(store.get(Kind.POLICY, "api/user")).version())
          .isEqualTo(1 + written);
      assertThat(store.history(Kind.POLICY, "api/user", Change.NEVER, 1_000).items())
          .hasSize(1 + written);
      Files.delete(ballast);
      Written again = store.put(Kind.POLICY, "api/user", TEN, ANY, "anna");
      assertThat(store.trouble()).isNull();
      assertThat(heard).hasSize((int) again.version()).isSorted().doesNotHaveDuplicates();
    }
    try (PolicyStore store = PolicyStore.open(file, CLOCK)) {
      assertThat(store.history(Kind.POLICY, "api/user", Change.NEVER, 1_000).items())
          .hasSize(heard.size());
    }
  }

  @Test
  void trouble_diskHasRoomAgain_endsWithoutAnotherWrite() throws IOException {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try (PolicyStore store = PolicyStore.open(folder.resolve("policies.db"), CLOCK)) {
      store.start(timer);
      store.put(Kind.POLICY, "api/user", TEN, new Expected.Absent(), "anna");
      Path ballast = folder.resolve("ballast");
      fill(ballast);
      writeUntilFull(store);
      assertThat(store.trouble()).isNotNull();
      Files.delete(ballast);
      for (int attempt = 0; store.trouble() != null; attempt++) {
        assertThat(attempt).as("attempts").isLessThan(1_000);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
      assertThat(store.put(Kind.POLICY, "api/user", TEN, ANY, "anna").version()).isPositive();
    } finally {
      timer.shutdownNow();
    }
  }

  /** What is left of the pages already taken may hold a few writes more. */
  private static int writeUntilFull(PolicyStore store) {
    int written = 0;
    try {
      while (written < 10_000) {
        store.put(Kind.POLICY, "api/user", TEN, ANY, "anna");
        written++;
      }
    } catch (StoreUnavailableException full) {
      assertThat(full).hasMessageContaining("full");
    }
    return written;
  }

  private static void fill(Path ballast) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] some = new byte[4_096];
      for (int i = 0; i < 1_000; i++) {
        out.write(some);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space");
    }
  }
}
