package io.penstock.bench;

import io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The one peer that reads no clock: a thread per limiter refills it. Alone, because of the thread.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class SemaphoreBenchmark {
  private final SemaphoreBasedRateLimiter limiter = Peers.resilience4jSemaphore(Limits.ALWAYS);

  @TearDown
  public void close() {
    limiter.shutdown();
  }

  @Benchmark
  public boolean resilience4jSemaphore() {
    return limiter.acquirePermission();
  }
}
