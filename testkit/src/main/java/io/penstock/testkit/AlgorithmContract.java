package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Decision;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import io.penstock.core.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What every algorithm keeps, also one of your own: extend this, and say which and under what. */
public abstract class AlgorithmContract {
  private static final Duration LONG = Duration.ofDays(3_650);

  private final ManualClock clock = new ManualClock();

  /** The algorithm. */
  protected abstract Algorithm algorithm();

  /** A limit of at least two units that it can count. */
  protected abstract Limit limit();

  private Limiter limiter() {
    return Limiter.builder()
        .policy(Policy.of(limit()).withAlgorithm(algorithm()))
        .clock(clock)
        .build();
  }

  /** Takes units until one is denied, and says how many there were. */
  private static long drain(Limiter limiter) {
    long taken = 0;
    while (limiter.isAllowed("a")) {
      taken++;
    }
    return taken;
  }

  @Test
  void decide_freshKey_isFull() {
    Decision decision = limiter().peek("a");
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.remaining()).isEqualTo(limit().capacity());
    assertThat(decision.resetAfterNanos()).isZero();
  }

  @Test
  void decide_untilDenied_staysBetweenZeroAndCapacity() {
    Limiter limiter = limiter();
    long left = limit().capacity();
    while (limiter.isAllowed("a")) {
      long now = limiter.peek("a").remaining();
      assertThat(now).isBetween(0L, left);
      left = now;
    }
    assertThat(left).isZero();
  }

  @Test
  void decide_peek_takesNothing() {
    Limiter limiter = limiter();
    limiter.tryAcquire("a", 1);
    Decision before = limiter.peek("a");
    assertThat(limiter.peek("a")).isEqualTo(before);
  }

  @Test
  void decide_denied_changesNothing() {
    Limiter limiter = limiter();
    drain(limiter);
    Decision before = limiter.peek("a");
    Decision denied = limiter.tryAcquire("a", 1);
    assertThat(denied.reason()).isEqualTo(Reason.LIMITED);
    assertThat(limiter.tryAcquire("a", 1)).isEqualTo(denied);
    assertThat(limiter.peek("a")).isEqualTo(before);
  }

  @Test
  void decide_denied_fitsAtRetryAfterAndNotOneNanosecondEarlier() {
    Limiter limiter = limiter();
    clock.advanceNanos(123_456_789);
    drain(limiter);
    long retryAfter = limiter.tryAcquire("a", 1).retryAfterNanos();
    clock.advanceNanos(retryAfter - 1);
    assertThat(limiter.isAllowed("a")).isFalse();
    clock.advanceNanos(1);
    assertThat(limiter.isAllowed("a")).isTrue();
  }

  @Test
  void decide_farAboveCapacity_isNever() {
    Limiter limiter = limiter();
    assertThat(limiter.tryAcquire("a", Long.MAX_VALUE).reason()).isEqualTo(Reason.NEVER);
    assertThat(limiter.peek("a").remaining()).isEqualTo(limit().capacity());
  }

  @Test
  void decide_severalAtOnce_takesAsMuchAsOneByOne() {
    Limiter limiter = limiter();
    long cost = Math.max(2, limit().capacity() / 2);
    assertThat(limiter.tryAcquire("at once", cost).allowed()).isTrue();
    for (long i = 0; i < cost; i++) {
      limiter.tryAcquire("one by one", 1);
    }
    assertThat(limiter.peek("at once")).isEqualTo(limiter.peek("one by one"));
  }

  @Test
  void decide_oneMoreThanIsLeft_isDeniedAndChangesNothing() {
    Limiter limiter = limiter();
    /* The first one of a queue runs, and only those that wait count against its capacity. */
    limiter.tryAcquire("a", 1);
    Decision before = limiter.peek("a");
    Decision denied = limiter.tryAcquire("a", before.remaining() + 1);
    assertThat(denied.reason()).isEqualTo(Reason.LIMITED);
    assertThat(denied.remaining()).isEqualTo(before.remaining());
    assertThat(limiter.peek("a")).isEqualTo(before);
    assertThat(limiter.tryAcquire("a", before.remaining()).allowed()).isTrue();
  }

  /** As when a reservation is committed for more than is left. */
  @Test
  void decide_forcedBeyondWhatIsLeft_isCounted() {
    Step step = new Step();
    algorithm().decide(step, limit(), clock.nanos(), limit().capacity() - 1);
    step.forced(true);
    algorithm().decide(step, limit(), clock.nanos(), 3);
    assertThat(step.allowed()).isTrue();
    algorithm().used(step, limit(), clock.nanos());
    assertThat(step.usedWhole()).isEqualTo(limit().capacity() + 2);
  }

  /** The slowest limit lets one unit come back in a period; a window may end one period later. */
  @Test
  void decide_everythingTaken_isForgottenInTime() {
    Step step = new Step();
    algorithm().decide(step, limit(), clock.nanos(), limit().capacity());
    Duration slowest = Duration.ofNanos(limit().periodNanos()).multipliedBy(limit().capacity() + 1);
    assertThat(Duration.ofNanos(step.until - clock.nanos())).isBetween(Duration.ZERO, slowest);
  }

  @Test
  void decide_resetAfter_everythingIsAvailable() {
    Limiter limiter = limiter();
    drain(limiter);
    clock.advanceNanos(limiter.peek("a").resetAfterNanos());
    assertThat(limiter.peek("a").remaining()).isEqualTo(limit().capacity());
  }

  @Test
  void decide_idleForYears_grantsNoMoreThanAtFirst() {
    Limiter limiter = limiter();
    long first = drain(limiter);
    clock.advance(LONG);
    assertThat(drain(limiter)).isEqualTo(first);
  }

  @Test
  void giveBack_moreThanUsed_neverLiftsAboveFull() {
    Limiter limiter = limiter();
    long first = drain(limiter);
    assertThat(limiter.refund("a", 1).remaining()).isPositive();
    assertThat(limiter.refund("a", Long.MAX_VALUE).remaining()).isEqualTo(limit().capacity());
    assertThat(drain(limiter)).isEqualTo(first);
  }

  @Test
  void carry_toAndFromGcra_givesNothingFresh() {
    Limiter limiter = limiter();
    drain(limiter);
    Policy own = limiter.policy();
    limiter.update(Policy.parse("1000/day"));
    long left = limiter.peek("a").remaining();
    assertThat(left).isLessThanOrEqualTo(Math.max(0, 1_000 - limit().capacity()));
    limiter.update(own);
    assertThat(limiter.peek("a").remaining()).isLessThanOrEqualTo(1);
  }

  @Test
  void decide_manyThreads_admitAsManyAsOne() throws Exception {
    Limiter alone = limiter();
    long capacity = drain(alone);
    Limiter shared = limiter();
    long admitted = ThreadsContract.together(() -> drain(shared));
    assertThat(admitted).isEqualTo(capacity);
  }
}
