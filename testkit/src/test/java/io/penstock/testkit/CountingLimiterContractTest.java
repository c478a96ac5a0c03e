package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.core.Check;
import io.penstock.core.Clock;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.testkit.example.CountingLimiter;
import org.junit.jupiter.api.Test;

/** The whole contract once more, on a limiter written outside of core. */
class CountingLimiterContractTest extends LimiterContract {
  @Override
  protected Limiter limiter(Policy policy, Clock clock) {
    return new CountingLimiter(
        Limiter.builder().policy(policy).clock(clock).maxBytes(1 << 20).build());
  }

  @Test
  void tryAcquireAll_limiterThatCannotDecideForOthers_isNamed() {
    CountingLimiter counting = new CountingLimiter(Limiter.of("5/s"));
    Limiter memory = Limiter.of("7/s");
    Check own = new Check(counting, "a", 2);
    Decision alone = Limiter.tryAcquireAll(own);
    assertThat(alone.remaining()).isEqualTo(3);
    assertThat(alone.parts()).hasSize(1);
    assertThat(counting.asked()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limiter.tryAcquireAll(own, memory.check("b", 1)))
        .withMessage("limiter: %s (expected: one that decides several checks together)", counting);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limiter.tryAcquireAll(memory.check("b", 1), own))
        .withMessage("limiter: %s (expected: a MemoryLimiter, as MemoryLimiter[7/s])", counting);
    assertThat(memory.peek("b").remaining()).isEqualTo(7);
  }
}
