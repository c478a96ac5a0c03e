package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store that throws: who answers then, and what has been taken. */
class StoreFailureTest {
  private static final long START = 1_773_145_800_000_000_000L;

  /** Throws once, when so many more calls have been answered; a put is carried out all the same. */
  private static final class Flaky implements Store {
    private final MapStore inner = new MapStore();
    int getsLeft = Integer.MAX_VALUE;
    int putsLeft = Integer.MAX_VALUE;

    private static UncheckedIOException gone() {
      return new UncheckedIOException("gone", new IOException());
    }

    @Override
    public long @Nullable [] get(long key) {
      if (getsLeft-- == 0) {
        throw gone();
      }
      return inner.get(key);
    }

    @Override
    public void put(long key, long[] state) {
      inner.put(key, state);
      if (putsLeft-- == 0) {
        throw gone();
      }
    }

    @Override
    public void remove(long key) {
      inner.remove(key);
      if (putsLeft-- == 0) {
        throw gone();
      }
    }
  }

  private final AtomicLong now = new AtomicLong(START);
  private final Flaky store = new Flaky();

  private MemoryLimiter limiter(Policy policy, Store place) {
    return Limiter.builder().policy(policy).clock(now::get).store(place).build();
  }

  private MemoryLimiter limiter(String limits, FailMode mode) {
    return limiter(Policy.parse(limits).withFailMode(mode), store);
  }

  private static void assertFailed(Decision decision, FailMode mode) {
    boolean open = mode == FailMode.OPEN;
    assertThat(decision.reason()).isEqualTo(open ? Reason.FAIL_OPEN : Reason.FAIL_CLOSED);
    assertThat(decision.allowed()).isEqualTo(open);
  }

  @Test
  void tryAcquire_storeThrows_isAnsweredByTheFailModeAndTakesNothing() {
    for (Algorithm algorithm : Algorithm.all()) {
      for (FailMode mode : FailMode.values()) {
        boolean held = algorithm == Algorithm.CONCURRENCY;
        Policy policy = Policy.parse(held ? "5 concurrent lease 1min" : "5/min");
        store.inner.states.clear();
        MemoryLimiter limiter = limiter(policy.withAlgorithm(algorithm).withFailMode(mode), store);
        limiter.tryAcquire("a", 2);
        long left = limiter.peek("a").remaining();
        store.putsLeft = 0;
        assertFailed(limiter.tryAcquire("a"), mode);
        store.getsLeft = 0;
        assertFailed(limiter.tryAcquire("a"), mode);
        store.getsLeft = 0;
        assertThat(limiter.isAllowed("a")).isEqualTo(mode == FailMode.OPEN);
        assertThat(limiter.memory().refused()).as(algorithm.name()).isEqualTo(3);
        assertThat(limiter.peek("a").remaining()).as(algorithm.name()).isEqualTo(left);
      }
    }
  }

  @Test
  void tryAcquire_oneOfTwoPutsThrows_closedTakesNothingAndOpenWhatCanBeCounted() {
    for (FailMode mode : FailMode.values()) {
      store.inner.states.clear();
      MemoryLimiter limiter = limiter("5/min; 6/hour", mode);
      limiter.tryAcquire("a");
      store.putsLeft = 1;
      assertFailed(limiter.tryAcquire("a"), mode);
      assertThat(limiter.memory().refused()).isEqualTo(1);
      assertThat(limiter.peek("a").remaining()).isEqualTo(mode == FailMode.OPEN ? 3 : 4);
      limiter.update(Policy.parse("6/hour"));
      assertThat(limiter.peek("a").remaining()).as("of the second").isEqualTo(5);
    }
  }

  @Test
  void tryAcquire_oneOfTwoGetsThrows_closedTakesNothingAndOpenWhatCanBeCounted() {
    for (FailMode mode : FailMode.values()) {
      store.inner.states.clear();
      MemoryLimiter limiter = limiter("5/min; 6/hour", mode);
      limiter.tryAcquire("a");
      store.getsLeft = 1;
      assertFailed(limiter.tryAcquire("a"), mode);
      assertThat(limiter.peek("a").remaining()).isEqualTo(mode == FailMode.OPEN ? 3 : 4);
    }
  }

  @Test
  void tryAcquire_oneOfTwoGetsThrowsAndTheOtherDenies_isDenied() {
    for (FailMode mode : FailMode.values()) {
      store.inner.states.clear();
      MemoryLimiter limiter = limiter("5/min; 6/hour", mode);
      limiter.tryAcquire("a", 5);
      store.getsLeft = 1;
      assertLimited(limiter.tryAcquire("a"), "5/min");
      now.addAndGet(60_000_000_000L);
      limiter.tryAcquire("a");
      store.getsLeft = 0;
      assertLimited(limiter.tryAcquire("a"), "6/hour");
      store.getsLeft = 0;
      assertThat(limiter.isAllowed("a")).isFalse();
      store.getsLeft = 0;
      Batch batch = limiter.newBatch(1);
      batch.add("a", 1);
      batch.decide();
      assertThat(batch.allowed(0)).isFalse();
      assertThat(batch.retryAfterNanos(0)).isPositive();
      assertThat(limiter.memory().refused()).as("answered by the fail mode").isZero();
      assertThat(limiter.peek("a").remaining()).isZero();
    }
  }

  /** A denial brings the state to the new limit, which is kept if it can be. */
  @Test
  void tryAcquire_stateOfADenialCannotBeKept_isDenied() {
    for (FailMode mode : FailMode.values()) {
      for (int callsLeft = 0; callsLeft < 4; callsLeft++) {
        store.inner.states.clear();
        MemoryLimiter limiter = limiter("2/day; 100/hour", mode);
        limiter.tryAcquire("a", 2);
        limiter.update(Policy.parse("1/day; 100/hour").withFailMode(mode));
        store.putsLeft = callsLeft;
        assertLimited(limiter.tryAcquire("a"), "1/day");
        store.putsLeft = Integer.MAX_VALUE;
        limiter.update(Policy.parse("1/2day; 100/hour").withFailMode(mode));
        store.getsLeft = 1 + callsLeft;
        assertLimited(limiter.tryAcquire("a"), "1/2day");
        store.getsLeft = Integer.MAX_VALUE;
        assertThat(limiter.memory().refused()).isZero();
      }
    }
  }

  @Test
  void tryAcquire_moreThanTheUnreadableLimitEverFits_isNever() {
    for (FailMode mode : FailMode.values()) {
      for (String limits : List.of("5/min", "5/min; 100/hour")) {
        store.inner.states.clear();
        MemoryLimiter limiter = limiter(limits, mode);
        store.getsLeft = 0;
        Decision decision = limiter.tryAcquire("a", 6);
        assertThat(decision.reason()).as(limits).isEqualTo(Reason.NEVER);
        assertThat(decision.limit()).hasToString("5/min");
        assertThat(limiter.memory().refused()).isZero();
      }
    }
  }

  @Test
  void peek_convertedStateCannotBeKept_saysWhatIsLeft() {
    for (String more : List.of("", "; 100/hour")) {
      store.inner.states.clear();
      MemoryLimiter limiter = limiter("2/day" + more, FailMode.OPEN);
      limiter.tryAcquire("a");
      limiter.update(Policy.parse("3/day" + more));
      store.putsLeft = 0;
      assertThat(limiter.peek("a").reason()).isEqualTo(Reason.OK);
      assertThat(limiter.peek("a").remaining()).isEqualTo(2);
      assertThat(limiter.memory().refused()).isZero();
    }
  }

  @Test
  void reserve_oneOfTwoPutsThrows_givesBackWhatTheOtherCounted() {
    for (boolean commit : new boolean[] {false, true}) {
      MemoryLimiter limiter = limiter("5/min; 2 concurrent lease 1hour", FailMode.OPEN);
      for (int i = 0; i < 3; i++) {
        store.putsLeft = 0;
        Reservation reservation = limiter.reserve("a", 1);
        assertFailed(reservation.decision(), FailMode.OPEN);
        if (commit) {
          reservation.commit(1);
        }
        reservation.close();
      }
      for (int i = 0; i < 2; i++) {
        Reservation reservation = limiter.reserve("a", 1);
        assertThat(reservation.decision().reason()).isEqualTo(Reason.OK);
      }
      assertThat(limiter.reserve("a", 1).allowed()).isFalse();
      store.inner.states.clear();
    }
  }

  private static void assertLimited(Decision decision, String limit) {
    assertThat(decision.reason()).isEqualTo(Reason.LIMITED);
    assertThat(decision.limit()).hasToString(limit);
    assertThat(decision.retryAfterNanos()).isPositive();
  }

  @Test
  void tryAcquireAll_theLastOfThreeStoresThrows_takesFromNone() {
    Policy closed = Policy.parse("5/min").withFailMode(FailMode.CLOSED);
    MemoryLimiter first = limiter(closed, new MapStore());
    MemoryLimiter memory = Limiter.builder().policy(closed).clock(now::get).build();
    MemoryLimiter last = limiter(closed, store);
    first.tryAcquire("a");
    store.putsLeft = 0;
    Decision decision =
        Limiter.tryAcquireAll(memory.check("c", 1), first.check("a", 1), last.check("b", 1));
    assertFailed(decision, FailMode.CLOSED);
    assertThat(decision.parts()).extracting(Decision::allowed).containsExactly(true, true, false);
    assertThat(first.peek("a").remaining()).isEqualTo(4);
    assertThat(memory.peek("c").remaining()).isEqualTo(5);
    assertThat(last.peek("b").remaining()).isEqualTo(5);
    assertThat(last.memory().refused()).isEqualTo(1);
  }

  /** Nobody is let through or denied by these, so no fail mode could answer. */
  @Test
  void settleOrReset_storeThrows_isToldAndChangesNothing() {
    MemoryLimiter limiter = limiter("5/min; 6/hour", FailMode.OPEN);
    Reservation reservation = limiter.reserve("a", 3);
    store.putsLeft = 1;
    assertThatThrownBy(() -> limiter.refund("a", 1)).isInstanceOf(UncheckedIOException.class);
    assertThat(limiter.peek("a").remaining()).isEqualTo(2);
    store.putsLeft = 1;
    assertThatThrownBy(() -> reservation.commit(1)).isInstanceOf(UncheckedIOException.class);
    assertThat(limiter.peek("a").remaining()).isEqualTo(2);
    store.putsLeft = 1;
    assertThatThrownBy(() -> limiter.reset("a")).isInstanceOf(UncheckedIOException.class);
    assertThat(limiter.peek("a").remaining()).isEqualTo(2);
    assertThat(limiter.memory().refused()).isZero();
  }
}
