package io.penstock.bench;

import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What making and hashing a key costs: the floor of every decision about many keys. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class HashBenchmark {
  private static final int KEYS = 1_000_000;

  private final MemoryLimiter limiter = Limiter.builder().policy(Policy.of(Limits.PER_KEY)).build();
  private final KeyStream keys = new KeyStream(KEYS, /* seed= */ 1);
  private final String key = keys.stringAt(1);

  @Benchmark
  public byte[] makeBytes() {
    return keys.next();
  }

  @Benchmark
  public String makeString() {
    return keys.nextString();
  }

  /** What a map of strings costs before it is even looked at. */
  @Benchmark
  public int makeStringAndHashCode() {
    return keys.nextString().hashCode();
  }

  @Benchmark
  public long hashBytes() {
    return limiter.hash(keys.next(), 0, KeyStream.LENGTH);
  }

  @Benchmark
  public long hashFreshString() {
    return limiter.hash(keys.nextString());
  }

  @Benchmark
  public long hashSameString() {
    return limiter.hash(key);
  }
}
