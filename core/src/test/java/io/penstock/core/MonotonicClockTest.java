package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class MonotonicClockTest {
  private static final class Wild implements Clock {
    private long now;
    private long slept;
    private final List<Long> delays = new ArrayList<>();

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void sleep(long nanos) {
      slept += nanos;
      now += nanos;
    }

    @Override
    public Executor after(long nanos) {
      delays.add(nanos);
      now += nanos;
      return Runnable::run;
    }
  }

  private final Wild wild = new Wild();
  private final Clock clock = MonotonicClock.of(wild);

  @Test
  void nanos_clockStepsBack_repeatsTheLatestReading() {
    wild.now = 1_000;
    assertThat(clock.nanos()).isEqualTo(1_000);
    wild.now = 400;
    assertThat(clock.nanos()).isEqualTo(1_000);
    wild.now = 1_001;
    assertThat(clock.nanos()).isEqualTo(1_001);
  }

  @Property
  void nanos_anyReadings_neverDecreases(@ForAll List<Integer> readings) {
    Wild source = new Wild();
    Clock guarded = MonotonicClock.of(source);
    long latest = 0;
    for (int reading : readings) {
      source.now = reading;
      long now = guarded.nanos();
      assertThat(now).isEqualTo(Math.max(latest, reading));
      latest = now;
    }
  }

  @Test
  void sleepAndAfter_callersThatWait_waitOnTheClock() throws InterruptedException {
    Limiter limiter = Limiter.builder().policy("1/s").clock(wild).build();
    limiter.tryAcquire("a", 1);
    assertThat(limiter.acquire("a", 1, Duration.ofSeconds(5)).allowed()).isTrue();
    assertThat(wild.slept).isEqualTo(1_000_000_000);
    limiter.tryAcquireAsync("a", 1, Duration.ofSeconds(5));
    assertThat(wild.delays).startsWith(1_000_000_000L);
  }

  @Test
  void of_clockThatIsSafe_isThatClock() {
    assertThat(MonotonicClock.of(Clock.system())).isSameAs(Clock.system());
    assertThat(MonotonicClock.of(clock)).isSameAs(clock);
  }

  /** L1 and L2 where half of all nanoseconds are over, and decades later. */
  @Test
  void tryAcquire_clockAtHalfOfLong_goesOnForDecades() {
    for (Algorithm algorithm : Algorithm.all()) {
      boolean held = algorithm == Algorithm.CONCURRENCY;
      Policy policy = Policy.parse(held ? "3 concurrent lease 1s" : "3/s");
      Wild late = new Wild();
      late.now = Long.MAX_VALUE / 2;
      Limiter limiter =
          Limiter.builder().policy(policy.withAlgorithm(algorithm)).clock(late).build();
      for (int decade = 0; decade < 7; decade++) {
        String when = algorithm.name() + " after " + decade + " decades";
        int taken = 0;
        while (taken < 9 && limiter.isAllowed("k")) {
          taken++;
        }
        assertThat(taken).as(when).isEqualTo(algorithm == Algorithm.LEAKY_QUEUE ? 4 : 3);
        late.now += limiter.tryAcquire("k", 1).retryAfterNanos() - 1;
        assertThat(limiter.isAllowed("k")).as("%s, too early", when).isFalse();
        late.now++;
        assertThat(limiter.isAllowed("k")).as("%s, in time", when).isTrue();
        late.now += Duration.ofDays(3_652).toNanos();
      }
    }
  }

  @Test
  void build_clockBeyondTheLast_saysWhatItMayBe() {
    wild.now = MonotonicClock.NANOS_MAX + 1;
    assertThatThrownBy(() -> Limiter.builder().policy("1/s").clock(wild).build())
        .hasMessage("clock: 6773413839565225983 (expected: 0..6773413839565225982)");
  }
}
