package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A store that has more than one limiter in its life. */
class StoreStatesTest {
  private static final long START = 1_773_145_800_000_000_000L;

  private final AtomicLong now = new AtomicLong(START);
  private final MapStore store = new MapStore();

  private MemoryLimiter limiter(String limits, Algorithm algorithm) {
    return Limiter.builder()
        .policy(limits)
        .algorithm(algorithm)
        .clock(now::get)
        .store(store)
        .build();
  }

  /** Another law that nobody knows by name. */
  private record Unknown(Algorithm inner) implements Algorithm {
    @Override
    public String name() {
      return "unknown";
    }

    @Override
    public void decide(Step step, Limit limit, long nowNanos, long cost) {
      inner.decide(step, limit, nowNanos, cost);
    }

    @Override
    public void used(Step step, Limit limit, long nowNanos) {
      inner.used(step, limit, nowNanos);
    }

    @Override
    public void carry(Step step, Limit limit, long nowNanos) {
      inner.carry(step, limit, nowNanos);
    }
  }

  private static String per(long count, String period, Algorithm algorithm) {
    return count + (algorithm == Algorithm.CONCURRENCY ? " concurrent lease " : "/") + period;
  }

  @Test
  void newLimiter_onTheStoreOfAnother_continuesWhatWasUsed() {
    for (Algorithm from : Algorithm.all()) {
      for (Algorithm to : Algorithm.all()) {
        store.states.clear();
        limiter("7/min", Algorithm.GCRA).update(Policy.parse("8/min"));
        limiter(per(20, "day", from), from).tryAcquire("a", 9);
        Limiter next = limiter(per(20, "hour", to), to);
        long left = next.peek("a").remaining();
        String course = from.name() + " to " + to.name();
        assertThat(left).as(course).isBetween(11L, 12L);
        assertThat(next.tryAcquire("a", left).allowed()).as(course).isTrue();
        boolean leases = from == Algorithm.CONCURRENCY && from == to;
        now.addAndGet(Duration.ofHours(leases ? 24 : 2).toNanos());
        assertThat(next.peek("a").remaining()).as(course).isEqualTo(20);
      }
    }
  }

  @Test
  void newLimiter_statesItCannotRead_countAsUsedUp() {
    Algorithm unknown = new Unknown(Algorithm.FIXED_WINDOW);
    Limiter before = limiter("20/day", unknown);
    before.tryAcquire("a", 3);
    Limiter same = limiter("20/day", unknown);
    assertThat(same.tryAcquire("a").remaining()).isEqualTo(16);
    Limiter other = limiter("20/hour", Algorithm.GCRA);
    assertThat(other.tryAcquire("a").retryAfter()).isEqualTo(Duration.ofMinutes(3));
    now.addAndGet(Duration.ofMinutes(3).toNanos());
    assertThat(other.tryAcquire("a").allowed()).isTrue();
    store.states.replaceAll((key, state) -> new long[] {state[0]});
    assertThat(other.tryAcquire("a", 2).allowed()).isFalse();
    now.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(other.tryAcquire("a", 20).allowed()).isTrue();
  }

  @Test
  void olderLimiter_whileAYoungerOneWrites_isRefused() {
    Limiter older = limiter("5/hour", Algorithm.GCRA);
    older.tryAcquire("a", 1);
    Limiter younger = limiter("5/hour", Algorithm.GCRA);
    assertThat(younger.tryAcquire("a").remaining()).isEqualTo(3);
    assertThatIllegalStateException()
        .isThrownBy(() -> older.tryAcquire("a"))
        .withMessage("store: in use by a younger limiter (expected: one limiter at a time)");
    assertThat(younger.tryAcquire("a").remaining()).isEqualTo(2);
  }
}
