package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever happens to a cluster, nothing answered strictly is forgotten, and no limit exceeded. */
class ReplicaSimulationTest {
  private static final int SEEDS = 2_000;
  private static final int STEPS = 300;

  @TempDir Path folder;

  @Test
  void r1r2r4r5r7_anyFaults_everyStrictAllowIsCountedByEveryLaterOwner() throws IOException {
    long admitted = 0;
    long terms = 0;
    long lost = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        Cluster cluster = run(seed, Flaw.NONE);
        admitted += cluster.admitted();
        terms += cluster.terms();
        lost += cluster.lostAnswers();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(admitted).as("admitted").isGreaterThan(10L * SEEDS);
    assertThat(terms).as("terms").isGreaterThan(5L * SEEDS);
    assertThat(lost).as("answers that were lost").isGreaterThan(SEEDS);
  }

  private Cluster run(long seed, Flaw flaw) throws IOException {
    Cluster cluster = new Cluster(seed, flaw);
    for (int step = 0; step < STEPS; step++) {
      cluster.step(seed % 20 == 0 ? folder : null);
    }
    cluster.heal();
    return cluster;
  }

  /* A simulation that notices nothing proves nothing. */
  @ParameterizedTest
  @EnumSource(value = Flaw.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void r1r2r3_ruleNotFollowed_isNoticed(Flaw flaw) {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < SEEDS; seed++) {
                run(seed, flaw);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("(?s).*(used|admitted) of key \\d.*|(?s).*id \\d+.*");
  }
}
