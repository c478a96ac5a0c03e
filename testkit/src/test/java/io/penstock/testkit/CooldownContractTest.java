package io.penstock.testkit;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.testkit.example.Cooldown;

/** The contract of algorithms, on one that a user could have written. */
class CooldownContractTest extends AlgorithmContract {
  @Override
  protected Algorithm algorithm() {
    return new Cooldown();
  }

  @Override
  protected Limit limit() {
    return Limit.parse("500/min");
  }
}
