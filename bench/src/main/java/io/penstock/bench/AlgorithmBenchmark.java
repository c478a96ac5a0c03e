package io.penstock.bench;

import io.penstock.core.Algorithm;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.Reservation;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One hot key under each algorithm, on the system clock. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class AlgorithmBenchmark {
  /** A policy and, before the colon, how it is counted. */
  @Param({
    "gcra: 1000000000/s",
    "gcra: 3000/s burst 1000000000",
    "gcra: 1000000000/s; 60000000000/min",
    "leaky-queue: 1000000000/s",
    "fixed-window: 1000000000/s",
    "fixed-window: 1000000000000/day Europe/Paris",
    "sliding-window-counter: 1000000000/s",
    "sliding-window-log: 100/s"
  })
  String rule;

  private MemoryLimiter limiter;
  private long hash;
  private MemoryLimiter slots;

  @Setup
  public void build() {
    String[] parts = rule.split(": ", 2);
    limiter =
        Limiter.builder()
            .policy(Policy.parse(parts[1]).withAlgorithm(Algorithm.named(parts[0])))
            .build();
    hash = limiter.hash("user-keyaaaaaaab");
    slots = Limiter.of("50 concurrent lease 30s");
  }

  @Benchmark
  public boolean take() {
    return limiter.isAllowedHash(hash);
  }

  /** A slot taken and given back. The same for every rule, so run it with one. */
  @Benchmark
  public boolean holdAndRelease() {
    try (Reservation slot = slots.reserve("user-keyaaaaaaab", 1)) {
      return slot.decision().allowed();
    }
  }
}
