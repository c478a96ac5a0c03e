package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An ownership ends whenever Raft says so, also while it begins (R3). */
@Timeout(120)
class ShardGroupTest {
  private static final long KEY = 0x9E37_79B9_7F4A_7C15L;

  @TempDir Path folder;

  @Test
  void r3_leadershipLostWhileTheShardIsMade_isNeverOwnedAndSaidToBeOver() throws Exception {
    try (Trio trio = new Trio(folder)) {
      trio.nodes.forEach(node -> node.whileBuilding = ShardGroup::follows);
      trio.start();
      Trio.await(() -> trio.nodes.stream().anyMatch(node -> node.firstBuilt != null));
      Trio.Node first =
          trio.nodes.stream().filter(node -> node.firstBuilt != null).findFirst().orElseThrow();
      Trio.await(() -> first.over.contains(first.firstBuilt));
      assertThat(first.owned).doesNotContain(Objects.requireNonNull(first.firstBuilt));
      Trio.await(() -> Boolean.TRUE.equals(trio.owner().take(KEY, 1)));
    }
  }
}
