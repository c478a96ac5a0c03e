package io.penstock.bench;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** As {@link ManyKeysBenchmark}, for the peers: one limiter per key in a map. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class ManyKeysPeersBenchmark {
  @Param({"10000", "1000000", "10000000"})
  int keys;

  @Param({"BUCKET4J", "GUAVA", "RESILIENCE4J", "FAILSAFE"})
  String library;

  private PeerMap<?> limiters;

  @Setup
  public void fill() {
    limiters = PeerMap.of(PeerMap.Library.valueOf(library), Limits.PER_KEY);
    limiters.fill(keys);
  }

  /** The keys of one thread. */
  @State(Scope.Thread)
  public static class Caller {
    private KeyStream keys;

    @Setup
    public void start(ManyKeysPeersBenchmark benchmark) {
      keys = new KeyStream(benchmark.keys, ThreadLocalRandom.current().nextLong());
    }
  }

  @Benchmark
  public boolean string(Caller caller) {
    return limiters.isAllowed(caller.keys.nextString());
  }
}
