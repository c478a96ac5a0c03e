package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepTest {
  /** An algorithm may say `until - now` of an idle key. */
  @Test
  void allow_resetThatHasPassed_isNow() {
    Step step = new Step();
    step.allow(/* remaining= */ 1, /* resetAfterNanos= */ -5);
    assertThat(step.resetAfterNanos()).isZero();
    assertThat(step.moreAfterNanos()).isZero();
  }
}
