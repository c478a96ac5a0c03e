package io.penstock.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One key that is always denied: what an attacker gets, alone and with a second thread beside. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class HotKeyDeniedBenchmark {
  private final String key = "user-keyaaaaaaab";
  private final byte[] bytes = key.getBytes(ISO_8859_1);
  private final Policy policy = Policy.of(Limits.HARDLY);
  private final TickerClock ticker = TickerClock.start();
  private final MemoryLimiter own = Limiter.builder().policy(policy).build();
  private final MemoryLimiter cached = Limiter.builder().policy(policy).clock(ticker).build();
  private final long ownHash = own.hash(key);
  private final long cachedHash = cached.hash(key);
  private final Peers peers = new Peers(Limits.HARDLY);

  @Setup
  public void takeTheOneUnit() {
    boolean allowed =
        own.isAllowed(key)
            && cached.isAllowed(key)
            && peers.bucket4jMillis.tryConsume(1)
            && peers.bucket4jNanos.tryConsume(1)
            && peers.bucket4jSynchronized.tryConsume(1)
            && peers.guava.tryAcquire()
            && peers.resilience4j.acquirePermission()
            && peers.failsafeBursty.tryAcquirePermit()
            && peers.failsafeSmooth.tryAcquirePermit();
    if (!allowed) {
      throw new IllegalStateException("the one unit of a limiter was gone before it was taken");
    }
  }

  @TearDown
  public void close() {
    ticker.close();
  }

  @Benchmark
  public boolean ownHash() {
    return own.isAllowedHash(ownHash);
  }

  @Benchmark
  public boolean ownBytes() {
    return own.isAllowed(bytes, 0, bytes.length);
  }

  @Benchmark
  public Decision ownDecisionKept() {
    return own.tryAcquireHash(ownHash, 1);
  }

  @Benchmark
  public boolean cachedHash() {
    return cached.isAllowedHash(cachedHash);
  }

  @Benchmark
  public boolean cachedBytes() {
    return cached.isAllowed(bytes, 0, bytes.length);
  }

  @Benchmark
  public boolean bucket4jMillis() {
    return peers.bucket4jMillis.tryConsume(1);
  }

  @Benchmark
  public boolean bucket4jNanos() {
    return peers.bucket4jNanos.tryConsume(1);
  }

  @Benchmark
  public boolean bucket4jSynchronized() {
    return peers.bucket4jSynchronized.tryConsume(1);
  }

  @Benchmark
  public boolean guava() {
    return peers.guava.tryAcquire();
  }

  @Benchmark
  public boolean resilience4j() {
    return peers.resilience4j.acquirePermission();
  }

  @Benchmark
  public boolean failsafeBursty() {
    return peers.failsafeBursty.tryAcquirePermit();
  }

  @Benchmark
  public boolean failsafeSmooth() {
    return peers.failsafeSmooth.tryAcquirePermit();
  }
}
