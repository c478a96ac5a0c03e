package io.penstock.testkit.example;

import io.penstock.core.Check;
import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/** A limiter around another that counts how often it is asked. Thread-safe. */
public final class CountingLimiter implements Limiter {
  private final Limiter inner;
  private final LongAdder asked = new LongAdder();

  public CountingLimiter(Limiter inner) {
    this.inner = inner;
  }

  public long asked() {
    return asked.sum();
  }

  private Limiter inner() {
    asked.increment();
    return inner;
  }

  @Override
  public Decision tryAcquire(String key, long cost) {
    return inner().tryAcquire(key, cost);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long cost, Duration timeout) {
    return inner().tryAcquireAsync(key, cost, timeout);
  }

  @Override
  public Reservation reserve(String key, long cost) {
    return inner().reserve(key, cost);
  }

  @Override
  public Reservation reserve(String key, long cost, Duration timeout) throws InterruptedException {
    return inner().reserve(key, cost, timeout);
  }

  @Override
  public Check check(String key, long cost) {
    return inner().check(key, cost);
  }

  @Override
  public void reset(String key) {
    inner.reset(key);
  }

  @Override
  public void block(String key, Instant until) {
    inner.block(key, until);
  }

  @Override
  public void override(String key, Policy policy, Instant until) {
    inner.override(key, policy, until);
  }

  @Override
  public void update(Policy policy) {
    inner.update(policy);
  }

  @Override
  public Policy policy() {
    return inner.policy();
  }

  @Override
  public long policyVersion() {
    return inner.policyVersion();
  }
}
