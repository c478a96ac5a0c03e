package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three real nodes, the disk of one full: others own, and it comes back when there is room. */
@Tag("once")
@Timeout(300)
class DiskIT {
  private static final String STRICT = "{\"limits\":[\"50/day\"],\"consistency\":\"strict\"}";
  private static final int FULL = 0;
  private static final int SECOND = 1;
  private static final int THIRD = 2;
  private static final int CHECKS_MAX = 20_000;

  @TempDir Path folder;
  private Path disk;
  private boolean mounted;
  private Nodes nodes;

  @BeforeEach
  void start() throws Exception {
    disk = Files.createDirectory(folder.resolve(Nodes.name(FULL)));
    mounted = isRun("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk.toString());
    assumeTrue(mounted, "no file system can be mounted here: not root");
    nodes = new Nodes(folder);
    nodes.startAll();
    InForce.put(nodes, "api%2Fuser", STRICT, /* before= */ 0);
  }

  @AfterEach
  void end() throws Exception {
    if (mounted) {
      nodes.close();
      for (int node : nodes.running()) {
        nodes.kill(node);
      }
      assertThat(isRun("umount", disk.toString())).isTrue();
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
    try (var out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(new byte[512]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  /** Takes from any node until nothing is left; what was allowed. */
  private long exhaust(String key) {
    long allowed = 0;
    for (int i = 0; i < 60; i++) {
      allowed += nodes.decided(i % Nodes.COUNT, key, 1, key + "-" + i).isAllowed() ? 1 : 0;
    }
    return allowed;
  }

  private void assertUsedUp(String key) {
    for (int node : nodes.running()) {
      assertThat(nodes.decided(node, key, 1, null).isDenied()).as(key).isTrue();
    }
  }

  /** A key that the node owns whose disk fills up. */
  private String ownedKey() {
    for (int i = 0; i < CHECKS_MAX; i++) {
      if (nodes.awaitOwner(SECOND, "owned" + i) == FULL) {
        return "owned" + i;
      }
    }
    throw new AssertionError("a node that owns nothing");
  }

  private boolean isSaid() {
    return nodes.get(FULL, "/healthz").body().contains("No space left on device");
  }

  @Test
  void r10_diskOfTheOwnerFull_anotherOwnsNothingIsLostAndItComesBackByItself() throws Exception {
    String owned = ownedKey();
    assertThat(exhaust(owned)).isEqualTo(50);

    Path filler = disk.resolve("filler");
    fill(filler);
    for (int i = 0; !isSaid(); i++) {
      assertThat(i).as("checks, and nobody has noticed").isLessThan(CHECKS_MAX);
      nodes.decided(THIRD, "load" + i, 1, /* requestId= */ null);
    }
    assertThat(nodes.get(FULL, "/readyz").status()).isEqualTo(503);
    assertThat(nodes.get(FULL, "/metrics").body()).contains("penstock_cluster_log_writable 0.0");
    Nodes.until(
        () -> nodes.check(SECOND, owned, 0, /* requestId= */ null),
        reply -> reply.isStrict() && reply.owner() != FULL);
    assertUsedUp(owned);
    assertThat(exhaust("while-full")).isEqualTo(50);
    assertThat(nodes.put(SECOND, "api%2Fteam", STRICT, "If-None-Match", "*").status())
        .isEqualTo(201);

    Files.delete(filler);
    nodes.awaitReady(FULL);
    assertThat(nodes.get(FULL, "/metrics").body()).contains("penstock_cluster_log_writable 1.0");

    /* Without a third nothing is decided that is not on the disk that was full. */
    nodes.kill(SECOND);
    assertUsedUp(owned);
    assertUsedUp("while-full");
    Nodes.until(() -> nodes.get(FULL, "/v1/policies/api%2Fteam"), reply -> reply.status() == 200);
    nodes.kill(THIRD);
    nodes.start(SECOND);
    nodes.awaitReady(SECOND);
    assertUsedUp(owned);
    assertUsedUp("while-full");
  }
}
