package io.penstock.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.bucket4j.ConsumptionProbe;
import io.penstock.core.Batch;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.algorithm.Gcra;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One key that is always allowed. A peer is one limiter without a key; ours looks its key up each
 * time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class HotKeyBenchmark {
  private static final int BATCH = 16;

  private final String key = "user-keyaaaaaaab";
  private final byte[] bytes = key.getBytes(ISO_8859_1);
  private final Policy policy = Policy.of(Limits.ALWAYS);
  private final TickerClock ticker = TickerClock.start();
  private final MemoryLimiter own = Limiter.builder().policy(policy).build();
  private final MemoryLimiter cached = Limiter.builder().policy(policy).clock(ticker).build();
  private final long ownHash = own.hash(key);
  private final long cachedHash = cached.hash(key);
  private final AtomicLong word = new AtomicLong();
  private final Peers peers = new Peers(Limits.ALWAYS);

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
  public boolean ownString() {
    return own.isAllowed(key);
  }

  /** The whole answer, looked at and dropped, as a caller does that sets headers from it. */
  @Benchmark
  public long ownDecisionRead() {
    Decision decision = own.tryAcquireHash(ownHash, 1);
    return decision.allowed() ? decision.remaining() : decision.retryAfterNanos();
  }

  /** The whole answer, handed on, so that it must exist. */
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
  public boolean cachedString() {
    return cached.isAllowed(key);
  }

  @Benchmark
  public long cachedDecisionRead() {
    Decision decision = cached.tryAcquireHash(cachedHash, 1);
    return decision.allowed() ? decision.remaining() : decision.retryAfterNanos();
  }

  /** The floor: the same law, clock and atomic write, without key, policy or lock. */
  @Benchmark
  public boolean oneWord() {
    long tat = word.get();
    long now = System.nanoTime();
    long next = Gcra.next(tat, Limits.ALWAYS.capacity(), now, /* costNanos= */ 1);
    return next > 0 && word.compareAndSet(tat, next);
  }

  /** A batch belongs to one caller. */
  @State(Scope.Thread)
  public static class Caller {
    private final MemoryLimiter limiter =
        Limiter.builder().policy(Policy.of(Limits.ALWAYS)).build();
    private final Batch batch = limiter.newBatch(BATCH);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public boolean ownBatchOfHashes(Caller caller) {
    Batch batch = caller.batch;
    batch.clear();
    for (int i = 0; i < BATCH; i++) {
      batch.addHash(ownHash, 1);
    }
    batch.decide();
    return batch.allowed(BATCH - 1);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public boolean ownBatchOfBytes(Caller caller) {
    Batch batch = caller.batch;
    batch.clear();
    for (int i = 0; i < BATCH; i++) {
      batch.add(bytes, 0, bytes.length, 1);
    }
    batch.decide();
    return batch.allowed(BATCH - 1);
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
  public ConsumptionProbe bucket4jDecisionKept() {
    return peers.bucket4jMillis.tryConsumeAndReturnRemaining(1);
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
