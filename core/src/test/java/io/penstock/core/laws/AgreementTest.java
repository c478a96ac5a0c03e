package io.penstock.core.laws;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Every algorithm answers as its oracle does, whatever happens to the key. */
class AgreementTest {
  private static final int ASKED = 300;

  @Provide
  Arbitrary<String> algorithms() {
    return Arbitraries.of(Algorithm.all().stream().map(Algorithm::name).toList());
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void decide_anySchedule_agreesWithTheOracle(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    Rivals rivals = new Rivals(algorithm, seed);
    for (int i = 0; i < ASKED; i++) {
      rivals.playOn();
      assertThat(rivals.answer()).as(rivals::history).isEqualTo(rivals.expected());
    }
  }
}
