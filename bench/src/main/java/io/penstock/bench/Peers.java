package io.penstock.bench;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.SemaphoreBasedRateLimiter;
import io.penstock.core.Limit;
import java.time.Duration;

/** One limiter of each library we are measured against, all under the same limit. */
final class Peers {
  private static final double NANOS_PER_SECOND = 1e9;

  final Bucket bucket4jMillis;
  final Bucket bucket4jNanos;
  final Bucket bucket4jSynchronized;
  final RateLimiter guava;
  final io.github.resilience4j.ratelimiter.RateLimiter resilience4j;
  final dev.failsafe.RateLimiter<Object> failsafeBursty;
  final dev.failsafe.RateLimiter<Object> failsafeSmooth;

  Peers(Limit limit) {
    bucket4jMillis = bucket4j(limit);
    bucket4jNanos = bucket4jBuilder(limit).withNanosecondPrecision().build();
    bucket4jSynchronized =
        bucket4jBuilder(limit)
            .withNanosecondPrecision()
            .withSynchronizationStrategy(SynchronizationStrategy.SYNCHRONIZED)
            .build();
    guava = guava(limit);
    resilience4j = resilience4j(limit);
    failsafeBursty = failsafe(limit);
    failsafeSmooth = dev.failsafe.RateLimiter.smoothBuilder(limit.count(), period(limit)).build();
  }

  /** As it comes: lock-free, on the millisecond clock. */
  static Bucket bucket4j(Limit limit) {
    return bucket4jBuilder(limit).withCustomTimePrecision(TimeMeter.SYSTEM_MILLISECONDS).build();
  }

  private static LocalBucketBuilder bucket4jBuilder(Limit limit) {
    return Bucket.builder()
        .addLimit(
            each -> each.capacity(limit.capacity()).refillGreedy(limit.count(), period(limit)));
  }

  /** Its burst is always one second's worth. */
  static RateLimiter guava(Limit limit) {
    return RateLimiter.create(limit.count() * NANOS_PER_SECOND / limit.periodNanos());
  }

  static io.github.resilience4j.ratelimiter.RateLimiter resilience4j(Limit limit) {
    return io.github.resilience4j.ratelimiter.RateLimiter.of("peer", config(limit));
  }

  /** A thread of its own refills it, so it reads no clock. */
  static SemaphoreBasedRateLimiter resilience4jSemaphore(Limit limit) {
    return new SemaphoreBasedRateLimiter("peer", config(limit));
  }

  private static RateLimiterConfig config(Limit limit) {
    return RateLimiterConfig.custom()
        .limitForPeriod(Math.toIntExact(limit.count()))
        .limitRefreshPeriod(period(limit))
        .timeoutDuration(Duration.ZERO)
        .build();
  }

  static dev.failsafe.RateLimiter<Object> failsafe(Limit limit) {
    return dev.failsafe.RateLimiter.burstyBuilder(limit.count(), period(limit)).build();
  }

  private static Duration period(Limit limit) {
    return Duration.ofNanos(limit.periodNanos());
  }
}
