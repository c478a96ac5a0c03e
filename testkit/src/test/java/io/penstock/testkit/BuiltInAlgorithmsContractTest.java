package io.penstock.testkit;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import org.junit.jupiter.api.Nested;

/** The contract of algorithms, on those that come with the library. */
class BuiltInAlgorithmsContractTest {
  private static final Limit RATE = Limit.parse("500/min");

  @Nested
  class Gcra extends OfRates {
    Gcra() {
      super(Algorithm.GCRA);
    }
  }

  @Nested
  class LeakyQueue extends OfRates {
    LeakyQueue() {
      super(Algorithm.LEAKY_QUEUE);
    }
  }

  @Nested
  class FixedWindow extends OfRates {
    FixedWindow() {
      super(Algorithm.FIXED_WINDOW);
    }
  }

  @Nested
  class SlidingWindowLog extends OfRates {
    SlidingWindowLog() {
      super(Algorithm.SLIDING_WINDOW_LOG);
    }
  }

  @Nested
  class SlidingWindowCounter extends OfRates {
    SlidingWindowCounter() {
      super(Algorithm.SLIDING_WINDOW_COUNTER);
    }
  }

  @Nested
  class Concurrency extends AlgorithmContract {
    @Override
    protected Algorithm algorithm() {
      return Algorithm.CONCURRENCY;
    }

    @Override
    protected Limit limit() {
      return Limit.parse("500 concurrent lease 1min");
    }
  }

  abstract static class OfRates extends AlgorithmContract {
    private final Algorithm algorithm;

    OfRates(Algorithm algorithm) {
      this.algorithm = algorithm;
    }

    @Override
    protected Algorithm algorithm() {
      return algorithm;
    }

    @Override
    protected Limit limit() {
      return RATE;
    }
  }
}
