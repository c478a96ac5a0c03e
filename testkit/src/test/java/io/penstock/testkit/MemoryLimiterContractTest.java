package io.penstock.testkit;

import io.penstock.core.Clock;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;

class MemoryLimiterContractTest extends LimiterContract {
  @Override
  protected Limiter limiter(Policy policy, Clock clock) {
    return Limiter.builder().policy(policy).clock(clock).build();
  }
}
