package io.penstock.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.shard.FastCluster.Flaw;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code fast} may admit too much is what its owners may lose, and nothing else. */
class FastSimulationTest {
  private static final int SEEDS = 500;
  private static final int STEPS = 600;

  private static FastCluster run(long seed, Flaw flaw) throws IOException {
    FastCluster cluster = new FastCluster(seed, flaw);
    for (int step = 0; step < STEPS; step++) {
      cluster.step();
    }
    try {
      cluster.check();
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
    return cluster;
  }

  @Test
  void r14r15r21_anyOwnersAndClocks_admitNoMoreThanTheLimitAndWhatMayBeLost() throws IOException {
    long checked = 0;
    long terms = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      FastCluster cluster = run(seed, Flaw.NONE);
      checked += cluster.checked();
      terms += cluster.terms();
    }
    assertThat(checked).as("answers").isGreaterThan(20L * SEEDS);
    assertThat(terms).as("terms").isGreaterThan(4L * SEEDS);
  }

  /* A simulation that notices nothing proves nothing. */
  @ParameterizedTest
  @EnumSource(value = Flaw.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void r14r15r21_ruleNotFollowed_isNoticed(Flaw flaw) {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < SEEDS; seed++) {
                run(seed, flaw);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasStackTraceContaining("admitted beyond the limit");
  }
}
