package io.penstock.bench;

import io.penstock.core.Clock;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
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
import org.openjdk.jmh.annotations.TearDown;

/** Many keys in use, asked for uniformly. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class ManyKeysBenchmark {
  private static final long MAX_BYTES = 1L << 30;

  @Param({"10000", "1000000", "10000000"})
  int keys;

  /** Whether each decision reads the system clock, or a field that a thread keeps up to date. */
  @Param({"system", "ticker"})
  String clock;

  private TickerClock ticker;
  private MemoryLimiter limiter;

  @Setup
  public void fill() {
    ticker = TickerClock.start();
    limiter =
        Limiter.builder()
            .policy(Policy.of(Limits.PER_KEY))
            .clock(clock.equals("ticker") ? ticker : Clock.system())
            .maxBytes(MAX_BYTES)
            .build();
    Limits.fill(limiter, keys);
  }

  @TearDown
  public void close() {
    ticker.close();
  }

  /** The keys of one thread. */
  @State(Scope.Thread)
  public static class Caller {
    private KeyStream keys;
    private boolean last;

    @Setup
    public void start(ManyKeysBenchmark benchmark) {
      keys = new KeyStream(benchmark.keys, ThreadLocalRandom.current().nextLong());
    }
  }

  @Benchmark
  public boolean bytes(Caller caller) {
    return limiter.isAllowed(caller.keys.next(), 0, KeyStream.LENGTH);
  }

  /** The next key waits for the last answer, so that no cache miss hides behind another. */
  @Benchmark
  public boolean bytesInTurn(Caller caller) {
    caller.keys.skip(caller.last ? 1 : 0);
    caller.last = limiter.isAllowed(caller.keys.next(), 0, KeyStream.LENGTH);
    return caller.last;
  }

  @Benchmark
  public boolean string(Caller caller) {
    return limiter.isAllowed(caller.keys.nextString());
  }

  @Benchmark
  public Decision decision(Caller caller) {
    return limiter.tryAcquire(caller.keys.nextString(), 1);
  }
}
