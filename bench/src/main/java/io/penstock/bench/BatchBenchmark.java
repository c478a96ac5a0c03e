package io.penstock.bench;

import io.penstock.core.Batch;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Many keys decided together, as a server does with what one read of a socket brought. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class BatchBenchmark {
  private static final int SMALL = 16;
  private static final int LARGE = 64;
  private static final long MAX_BYTES = 1L << 30;

  @Param({"10000", "1000000", "10000000"})
  int keys;

  private MemoryLimiter limiter;

  @Setup
  public void fill() {
    limiter = Limiter.builder().policy(Policy.of(Limits.PER_KEY)).maxBytes(MAX_BYTES).build();
    Limits.fill(limiter, keys);
  }

  /** The keys and the batch of one thread. */
  @State(Scope.Thread)
  public static class Caller {
    private KeyStream keys;
    private Batch batch;

    @Setup
    public void start(BatchBenchmark benchmark) {
      keys = new KeyStream(benchmark.keys, ThreadLocalRandom.current().nextLong());
      batch = benchmark.limiter.newBatch(LARGE);
    }
  }

  @Benchmark
  @OperationsPerInvocation(SMALL)
  public int of16(Caller caller) {
    return decide(caller, SMALL);
  }

  @Benchmark
  @OperationsPerInvocation(LARGE)
  public int of64(Caller caller) {
    return decide(caller, LARGE);
  }

  private static int decide(Caller caller, int size) {
    Batch batch = caller.batch;
    batch.clear();
    for (int i = 0; i < size; i++) {
      batch.add(caller.keys.next(), 0, KeyStream.LENGTH, 1);
    }
    batch.decide();
    int allowed = 0;
    for (int i = 0; i < size; i++) {
      allowed += batch.allowed(i) ? 1 : 0;
    }
    return allowed;
  }
}
