package io.penstock.testkit;

import io.penstock.core.Clock;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;

/**
 * What every limiter does, wherever its states live: a backend that passes it is a backend.
 *
 * <pre>{@code
 * class MyLimiterTest extends LimiterContract {
 *   protected Limiter limiter(Policy policy, Clock clock) {
 *     return new MyLimiter(policy, clock);
 *   }
 * }
 * }</pre>
 *
 * <p>The tests stand in the interfaces, by subject.
 */
public abstract class LimiterContract
    implements TakingContract,
        AlgorithmsContract,
        SeveralLimitsContract,
        PolicyContract,
        ReservationContract,
        SettlingContract,
        WaitingContract,
        ThreadsContract,
        VectorsContract {
  /** A limiter without any state, which reads the time from the clock. */
  protected abstract Limiter limiter(Policy policy, Clock clock);

  /** How many checks each thread makes when many decide at once: fewer where each takes long. */
  @Override
  public int checksPerThread() {
    return 3_000;
  }

  @Override
  public final Limiter newLimiter(Policy policy, Clock clock) {
    return limiter(policy, clock);
  }
}
