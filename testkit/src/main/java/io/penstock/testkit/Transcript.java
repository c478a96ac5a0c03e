package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Decision;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import java.time.Duration;
import java.util.Locale;

/**
 * What happens to one key, written down as it is told: {@code at(0).take(5).allowed();
 * at(0).take(1).denied("200ms");}. Not thread-safe.
 */
final class Transcript {
  private static final String KEY = "user1";

  private final Limiter limiter;
  private final ManualClock clock;
  private final long startNanos;
  private String last = "";
  private Decision decision;

  Transcript(Limiter limiter, ManualClock clock) {
    this.limiter = limiter;
    this.clock = clock;
    this.startNanos = clock.nanos();
    this.decision = limiter.peek(KEY);
  }

  /** Milliseconds after the start. */
  Transcript at(long millis) {
    clock.setNanos(startNanos + Duration.ofMillis(millis).toNanos());
    return this;
  }

  Transcript take(long cost) {
    decision = limiter.tryAcquire(KEY, cost);
    last = "at " + (clock.nanos() - startNanos) + " ns take " + cost + ": " + decision;
    return this;
  }

  Transcript peek() {
    return take(0);
  }

  Transcript refund(long cost) {
    decision = limiter.refund(KEY, cost);
    last = "at " + (clock.nanos() - startNanos) + " ns refund " + cost + ": " + decision;
    return this;
  }

  /** Puts the key under other limits, counted as before. */
  Transcript update(String limits) {
    limiter.update(Policy.parse(limits).withAlgorithm(limiter.policy().algorithm()));
    return this;
  }

  Transcript allowed() {
    assertThat(decision.allowed()).as(last).isTrue();
    assertThat(decision.reason()).as(last).isEqualTo(Reason.OK);
    assertThat(decision.retryAfterNanos()).as(last).isZero();
    return this;
  }

  /** Denied, and it fits after exactly so long. */
  Transcript denied(String retryAfter) {
    assertThat(decision.allowed()).as(last).isFalse();
    assertThat(decision.reason()).as(last).isEqualTo(Reason.LIMITED);
    assertThat(decision.retryAfter()).as(last).isEqualTo(duration(retryAfter));
    return this;
  }

  Transcript never() {
    assertThat(decision.allowed()).as(last).isFalse();
    assertThat(decision.reason()).as(last).isEqualTo(Reason.NEVER);
    assertThat(decision.retryAfterNanos()).as(last).isEqualTo(Decision.NEVER);
    return this;
  }

  boolean isAllowed() {
    return decision.allowed();
  }

  long remaining() {
    return decision.remaining();
  }

  Transcript left(long remaining) {
    assertThat(decision.remaining()).as(last).isEqualTo(remaining);
    return this;
  }

  /** The caller may run after exactly so long. */
  Transcript runsAfter(String wait) {
    assertThat(decision.waitTime()).as(last).isEqualTo(duration(wait));
    return this;
  }

  Transcript fullAfter(String reset) {
    assertThat(decision.resetAfter()).as(last).isEqualTo(duration(reset));
    return this;
  }

  /** {@code 200ms}, {@code 1.5s}, {@code 12min}, {@code 2h}. */
  private static Duration duration(String text) {
    return text.endsWith("ms")
        ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
        : Duration.parse("PT" + text.replace("min", "m").toUpperCase(Locale.ROOT));
  }
}
