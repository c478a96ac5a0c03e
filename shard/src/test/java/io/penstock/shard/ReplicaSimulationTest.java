package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        Cluster cluster = new Cluster(seed);
        for (int step = 0; step < STEPS; step++) {
          cluster.step(seed % 20 == 0 ? folder : null);
        }
        cluster.heal();
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
}
