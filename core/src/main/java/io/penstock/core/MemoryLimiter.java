package io.penstock.core;

import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Turn.Ask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A limiter whose states live in the memory of this process. Thread-safe.
 *
 * <p>Beside what every {@link Limiter} does it takes keys as ranges of bytes and as hashes, and
 * many at a time, without making garbage.
 */
public final class MemoryLimiter implements Limiter {
  /**
   * What a limiter uses of its memory. Immutable.
   *
   * @param bytes taken from the process for states; given back only with the limiter
   * @param bytesMax the bound
   * @param refused how many checks were answered by the fail mode, because no memory was left or
   *     the store threw an exception
   */
  public record Usage(long bytes, long bytesMax, long refused) {
    public Usage {
      Checks.atLeast("bytes", bytes, 0);
      Checks.atLeast("bytesMax", bytesMax, 0);
      Checks.atLeast("refused", refused, 0);
    }
  }

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Clock clock;
  private final @Nullable DecisionListener listener;
  private final KeyHash keyHash;
  private final Engine engine;

  MemoryLimiter(LimiterBuilder parts) {
    this.clock = MonotonicClock.of(parts.clock);
    this.listener = parts.listener;
    this.keyHash = parts.keyHash();
    this.engine = new Engine(parts.policy(), parts.store, parts.maxBytes, clock.nanos());
  }

  @Override
  public boolean isAllowed(String key) {
    return listener == null ? engine.fitsOne(hash(key), clock) : tryAcquire(key, 1).allowed();
  }

  /** Takes one unit for a key that is a range of bytes: the same key as the text they encode. */
  public boolean isAllowed(byte[] key, int from, int length) {
    return isAllowedHash(hash(key, from, length));
  }

  /** Takes one unit for a key given as its {@link #hash}. */
  public boolean isAllowedHash(long hash) {
    return listener == null ? engine.fitsOne(hash, clock) : tryAcquireHash(hash, 1).allowed();
  }

  @Override
  public Decision tryAcquire(String key, long cost) {
    return heard(key, cost, engine.decide(hash(key), clock.nanos(), cost));
  }

  /** As {@link #tryAcquire(String, long)}, for a key that is a range of bytes. */
  public Decision tryAcquire(byte[] key, int from, int length, long cost) {
    return tryAcquireHash(hash(key, from, length), cost);
  }

  /** As {@link #tryAcquire(String, long)}, for a key given as its {@link #hash}. */
  public Decision tryAcquireHash(long hash, long cost) {
    Decision decision = engine.decide(hash, clock.nanos(), cost);
    return listener == null ? decision : heard(nameOf(hash), cost, decision);
  }

  /** The hash that stands for a key in this limiter; limiters with the same secret agree on it. */
  public long hash(String key) {
    return keyHash.of(key);
  }

  /** The hash that stands for a key in this limiter. */
  public long hash(byte[] key, int from, int length) {
    return keyHash.of(key, from, length);
  }

  /** A batch for this limiter; it grows beyond the capacity when it must. */
  public Batch newBatch(int capacity) {
    return new Batch(this, capacity);
  }

  void decide(Batch batch) {
    if (listener == null) {
      engine.decide(batch, clock.nanos());
      return;
    }
    long nowNanos = clock.nanos();
    for (int i = 0; i < batch.size(); i++) {
      long hash = batch.takes().hash(i);
      Decision decision = engine.decide(hash, nowNanos, batch.takes().cost(i));
      batch.answer(i, decision.allowed(), decision.remaining(), decision.retryAfterNanos());
      heard(nameOf(hash), batch.takes().cost(i), decision);
    }
  }

  /** Decides checks of limiters in memory, of this one and of any other. */
  @Override
  public Decision tryAcquireTogether(List<Check> checks) {
    Checks.together(checks);
    List<MemoryLimiter> limiters = new ArrayList<>();
    for (Check check : checks) {
      if (!(check.limiter() instanceof MemoryLimiter limiter)) {
        throw Checks.bad("limiter", check.limiter(), "a MemoryLimiter, as " + this);
      }
      limiters.add(limiter);
    }
    long[] nanos = new long[checks.size()];
    Composite composite = new Composite();
    for (int i = 0; i < nanos.length; i++) {
      Check check = checks.get(i);
      MemoryLimiter limiter = limiters.get(i);
      nanos[i] = limiter.nanosWith(limiters.subList(0, i), nanos);
      composite.add(limiter.engine, limiter.hash(check.key()), check.cost(), nanos[i]);
    }
    Decision decision = composite.decide();
    for (int i = 0; i < nanos.length; i++) {
      Check check = checks.get(i);
      Decision part = decision.parts().get(i);
      if (decision.allowed() || !part.allowed()) {
        limiters.get(i).heard(check.key(), check.cost(), part);
      }
    }
    return decision;
  }

  /** The time of this limiter: what was read for one with the same clock, so that it is one now. */
  private long nanosWith(List<MemoryLimiter> others, long[] nanos) {
    for (int i = 0; i < others.size(); i++) {
      Clock other = others.get(i).clock;
      if (clock == other) {
        return nanos[i];
      }
      if (clock instanceof MonotonicClock guarded && guarded.hasSourceOf(other)) {
        return guarded.nanosFrom(nanos[i]);
      }
    }
    return clock.nanos();
  }

  @Override
  public Reservation reserve(String key, long cost, Duration timeout) throws InterruptedException {
    return new Waiting(this, clock, key, cost, Checks.nanos("timeout", timeout)).reserve();
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long cost, Duration timeout) {
    long timeoutNanos = Checks.nanos("timeout", timeout);
    return new Pending(new Waiting(this, clock, key, cost, timeoutNanos), clock).begin();
  }

  /** What {@link #reserve(String, long)} would say, which takes nothing and nobody hears of. */
  Decision look(String key, long cost) {
    return engine.look(hash(key), clock.nanos(), cost);
  }

  /** How long the rates of a key have no room for a cost, whatever is held and also if blocked. */
  long ratesWaitNanos(String key, long cost) {
    return engine.player().ratesWaitNanos(hash(key), clock.nanos(), Math.max(0, cost));
  }

  Waiters waiters() {
    return engine.waiters();
  }

  @Override
  public Reservation reserve(String key, long cost) {
    Reserved reserved = engine.reserve(hash(key), clock.nanos(), cost, this);
    try {
      heard(key, cost, reserved.decision());
    } catch (Throwable e) {
      /* The caller gets no handle, so nobody else could give it back. */
      reserved.cancel();
      throw e;
    }
    return reserved;
  }

  void commit(Reserved reserved, long realCost) {
    engine.commit(reserved, realCost, clock.nanos());
  }

  boolean settle(Reserved reserved, Ask ask) {
    boolean renewed = engine.settle(reserved, ask, clock.nanos());
    if (renewed) {
      /* Under a policy of shorter leases it ends earlier than those who wait were told. */
      waiters().wake(reserved.hash());
    }
    return renewed;
  }

  @Override
  public void reset(String key) {
    engine.reset(hash(key), clock.nanos());
  }

  @Override
  public void block(String key, Instant until) {
    engine.block(hash(key), nanosOf(until), clock.nanos());
  }

  @Override
  public void override(String key, Policy policy, Instant until) {
    Checks.given("policy", policy, "a policy");
    engine.override(hash(key), policy, nanosOf(until), clock.nanos());
  }

  @Override
  public void update(Policy policy) {
    engine.update(Checks.given("policy", policy, "a policy"), clock);
  }

  @Override
  public Policy policy() {
    return engine.plans().general().policy();
  }

  @Override
  public long policyVersion() {
    return engine.plans().general().version();
  }

  /** What this limiter uses of its memory; a store of your own is not counted. */
  public Usage memory() {
    return engine.usage();
  }

  /** Names this limiter in messages, by its policy. */
  @Override
  public String toString() {
    return "MemoryLimiter[" + policy() + "]";
  }

  private Decision heard(String key, long cost, Decision decision) {
    if (listener != null) {
      listener.onDecision(key, cost, decision);
    }
    return decision;
  }

  private static String nameOf(long hash) {
    return "#" + HexFormat.of().toHexDigits(hash);
  }

  private static long nanosOf(Instant until) {
    Checks.given("until", until, "an instant");
    long seconds = until.getEpochSecond();
    if (seconds < 0) {
      return 0;
    }
    return seconds >= Long.MAX_VALUE / NANOS_PER_SECOND
        ? Long.MAX_VALUE
        : seconds * NANOS_PER_SECOND + until.getNano();
  }
}
