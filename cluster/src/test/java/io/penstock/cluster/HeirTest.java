package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who leads next, where a node gives its place away (R10, R15). */
@Timeout(120)
class HeirTest {
  private static final RaftPeerId N1 = RaftPeerId.valueOf("n1.a");
  private static final RaftPeerId N2 = RaftPeerId.valueOf("n2.b");

  @TempDir Path folder;

  private static @Nullable RaftPeerId best(Heir... heirs) {
    return Heir.best(List.of(heirs), node -> true);
  }

  @Test
  void best_memberThatIsDead_isNotTheHeirThoughItHadMostOfTheLog() {
    assertThat(best(new Heir(N1, 90, 5_000), new Heir(N2, 80, 20))).isEqualTo(N2);
    assertThat(best(new Heir(N1, 80, 20), new Heir(N2, 90, 5_000))).isEqualTo(N1);
  }

  @Test
  void best_allAnswerOrNobodyDoes_isTheOneThatHasMostOfTheLog() {
    assertThat(best(new Heir(N1, 90, 20), new Heir(N2, 80, 0))).isEqualTo(N1);
    assertThat(best(new Heir(N1, 80, 5_000), new Heir(N2, 90, 9_000))).isEqualTo(N2);
    assertThat(best()).isNull();
  }

  @Test
  void best_notAmongTheChosenNodes_isNotTheHeir() {
    List<Heir> heirs = List.of(new Heir(N1, 90, 0), new Heir(N2, 80, 5_000));
    assertThat(Heir.best(heirs, "n2"::equals)).isEqualTo(N2);
  }

  /** What Raft tells of its members is what this is about: who is stopped falls silent. */
  @Test
  void of_memberIsStopped_isSilentAndNotTheHeir() throws Exception {
    try (Trio trio = new Trio(folder)) {
      trio.start();
      for (Trio.Node stopped : trio.without(trio.owner())) {
        stopped.stop();
        Trio.await(() -> !heir(trio.owner()).equals(stopped.name));
        stopped.start();
        Trio.await(stopped::isWell);
      }
    }
  }

  private static String heir(Trio.Node owner) {
    try {
      RaftServer.Division division = owner.raft().group(Trio.GROUP).opened();
      RaftPeerId heir = Heir.best(Heir.of(division), node -> true);
      return Member.name(Objects.requireNonNull(heir).toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
