package io.penstock.bench;

import io.penstock.core.Clock;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What reading the time costs: the floor of every decision with a clock read of its own. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class ClockBenchmark {
  private final Clock system = Clock.system();
  private final TickerClock ticker = TickerClock.start();

  @TearDown
  public void close() {
    ticker.close();
  }

  @Benchmark
  public long nanoTime() {
    return System.nanoTime();
  }

  @Benchmark
  public long currentTimeMillis() {
    return System.currentTimeMillis();
  }

  @Benchmark
  public long system() {
    return system.nanos();
  }

  @Benchmark
  public long ticker() {
    return ticker.nanos();
  }
}
