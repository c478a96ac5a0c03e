package io.penstock.testkit;

import io.penstock.core.Algorithm;
import io.penstock.core.Clock;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;

/** Where the parts of the contract get their limiters from. */
interface LimiterSource {
  /** A limiter without any state, which reads the time from the clock. */
  Limiter newLimiter(Policy policy, Clock clock);

  /** One that counts with GCRA. */
  default Limiter newLimiter(String limits, Clock clock) {
    return newLimiter(Policy.parse(limits), clock);
  }

  default Limiter newLimiter(String limits, Algorithm algorithm, Clock clock) {
    return newLimiter(Policy.parse(limits).withAlgorithm(algorithm), clock);
  }

  /** What happens to a key under these limits, from the beginning of a window on. */
  default Transcript transcript(String limits, Algorithm algorithm) {
    ManualClock clock = new ManualClock();
    return new Transcript(newLimiter(limits, algorithm, clock), clock);
  }

  /** Ten units in ten seconds, in the form that the algorithm takes. */
  static String tenInTenSeconds(Algorithm algorithm) {
    return algorithm == Algorithm.CONCURRENCY ? "10 concurrent lease 10s" : "10/10s";
  }
}
