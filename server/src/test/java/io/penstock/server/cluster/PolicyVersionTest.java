package io.penstock.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Nobody is decided on by an older policy than somebody was before, or than it knows (R18). */
class PolicyVersionTest {
  private static final int SEEDS = 500;
  private static final int STEPS = 200;

  private static Country run(long seed, boolean catchesUp) {
    Country country = new Country(seed, catchesUp);
    try {
      for (int step = 0; step < STEPS; step++) {
        country.step();
      }
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
    return country;
  }

  @Test
  void r18_anyOwnersAndPaces_policyVersionNeverDecreases() {
    long decided = 0;
    long changes = 0;
    long epochs = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Country country = run(seed, /* catchesUp= */ true);
      decided += country.decided();
      changes += country.changesSeen();
      epochs += country.epochs();
    }
    assertThat(decided).as("decided").isGreaterThan(10L * SEEDS);
    assertThat(changes).as("newer versions").isGreaterThan(2L * SEEDS);
    assertThat(epochs).as("owners").isGreaterThan(4L * SEEDS);
  }

  /* A simulation that notices nothing proves nothing. */
  @Test
  void r18_ownerThatDoesNotCatchUp_isNoticed() {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < SEEDS; seed++) {
                run(seed, /* catchesUp= */ false);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasStackTraceContaining("policyVersion");
  }
}
