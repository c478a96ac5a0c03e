package io.penstock.testkit;

import io.penstock.core.Clock;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.testkit.example.MapStore;

/** The whole contract once more, on a store that a user could have written. */
class MapStoreContractTest extends LimiterContract {
  @Override
  protected Limiter limiter(Policy policy, Clock clock) {
    return Limiter.builder().policy(policy).clock(clock).store(new MapStore()).build();
  }
}
