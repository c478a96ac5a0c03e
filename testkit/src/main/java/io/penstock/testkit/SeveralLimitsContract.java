package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Decision;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A policy with several limits takes from all of them or from none. */
interface SeveralLimitsContract extends LimiterSource {
  @Test
  default void tryAcquire_oneLimitDenies_takesFromNone() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("5/s; 8/min", clock);
    assertThat(limiter.tryAcquire("a", 5).allowed()).isTrue();
    for (int i = 0; i < 20; i++) {
      assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
    }
    clock.advance(Duration.ofSeconds(1));
    assertThat(limiter.tryAcquire("a", 3).allowed()).isTrue();
    assertThat(limiter.tryAcquire("a", 1).limit()).isEqualTo(Limit.parse("8/min"));
  }

  @Test
  default void tryAcquire_allowed_namesTheLimitWithTheLeastLeft() {
    Limiter limiter = newLimiter("5/s; 8/min", new ManualClock());
    Decision first = limiter.tryAcquire("a", 1);
    assertThat(first.limit()).isEqualTo(Limit.parse("5/s"));
    assertThat(first.remaining()).isEqualTo(4);
  }

  @Test
  default void tryAcquire_severalDeny_namesTheLongestRetry() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("1/s; 3/hour; 2/min", clock);
    limiter.tryAcquire("a", 1);
    clock.advance(Duration.ofSeconds(1));
    limiter.tryAcquire("a", 1);
    Decision denied = limiter.tryAcquire("a", 1);
    assertThat(denied.limit()).isEqualTo(Limit.parse("2/min"));
    assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(29));
    clock.advanceNanos(denied.retryAfterNanos() - 1);
    assertThat(limiter.tryAcquire("a", 1).allowed()).isFalse();
    clock.advanceNanos(1);
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
  }

  @Test
  default void tryAcquire_costAboveOneCapacity_isNever() {
    Limiter limiter = newLimiter("5/s; 80/min", new ManualClock());
    Decision decision = limiter.tryAcquire("a", 6);
    assertThat(decision.reason()).isEqualTo(Reason.NEVER);
    assertThat(decision.limit()).isEqualTo(Limit.parse("5/s"));
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
  }

  /** Whoever waited for the one that has a wait would wait in vain. */
  @Test
  default void tryAcquire_oneLimitNeverAnotherNotNow_isNever() {
    for (String limits : List.of("5/s; 8/min", "8/min; 5/s")) {
      Limiter limiter = newLimiter(limits, new ManualClock());
      limiter.tryAcquire("a", 5);
      Decision decision = limiter.tryAcquire("a", 6);
      assertThat(decision.reason()).as(limits).isEqualTo(Reason.NEVER);
      assertThat(decision.limit()).as(limits).isEqualTo(Limit.parse("5/s"));
    }
  }

  @Test
  default void refund_severalLimits_givesBackToAll() {
    Limiter limiter = newLimiter("5/s; 8/min", new ManualClock());
    limiter.tryAcquire("a", 5);
    limiter.refund("a", 5);
    assertThat(limiter.tryAcquire("a", 5).remaining()).isZero();
    limiter.refund("a", 5);
    assertThat(limiter.peek("a").remaining()).isEqualTo(5);
  }

  @Test
  default void tryAcquire_ratesCalendarAndConcurrent_allCount() {
    ManualClock clock = new ManualClock();
    Limiter limiter = newLimiter("10/s; 12/day UTC; 11 concurrent lease 1min", clock);
    assertThat(limiter.tryAcquire("a", 10).allowed()).isTrue();
    clock.advance(Duration.ofSeconds(1));
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
    Decision held = limiter.tryAcquire("a", 1);
    assertThat(held.limit()).isEqualTo(Limit.parse("11 concurrent lease 1min"));
    clock.advance(Duration.ofMinutes(1));
    assertThat(limiter.tryAcquire("a", 1).allowed()).isTrue();
    assertThat(limiter.tryAcquire("a", 1).limit()).isEqualTo(Limit.parse("12/day UTC"));
  }

  @Test
  default void tryAcquireAll_oneKeyDenies_takesFromNone() {
    ManualClock clock = new ManualClock();
    Limiter users = newLimiter("5/s", clock);
    Limiter routes = newLimiter("8/min", clock);
    assertThat(Limiter.tryAcquireAll(users.check("u", 5), routes.check("r", 5)).allowed()).isTrue();
    Decision denied = Limiter.tryAcquireAll(routes.check("r", 3), users.check("u", 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.limit()).isEqualTo(Limit.parse("5/s"));
    assertThat(denied.parts()).hasSize(2);
    assertThat(routes.peek("r").remaining()).isEqualTo(3);
    clock.advance(denied.retryAfter());
    assertThat(Limiter.tryAcquireAll(routes.check("r", 3), users.check("u", 1)).allowed()).isTrue();
  }
}
