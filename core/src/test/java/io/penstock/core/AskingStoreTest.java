package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store that limits its own calls with another limiter, in the middle of a decision. */
class AskingStoreTest {
  private static final long START = 1_773_145_800_000_000_000L;

  private final AtomicLong now = new AtomicLong(START);
  private final MapStore states = new MapStore();
  private final MemoryLimiter calls = limiter("1000/s; 10000/min").build();

  private final Store store =
      new Store() {
        @Override
        public long @Nullable [] get(long key) {
          calls.tryAcquire("x");
          return states.get(key);
        }

        @Override
        public void put(long key, long[] state) {
          calls.reserve("x", 2).commit(1);
          states.put(key, state);
        }

        @Override
        public void remove(long key) {
          calls.refund("x", 1);
          states.remove(key);
        }
      };

  private LimiterBuilder limiter(String policy) {
    return Limiter.builder().policy(policy).clock(now::get);
  }

  private MemoryLimiter outer(String policy) {
    return limiter(policy).store(store).build();
  }

  @Test
  void tryAcquire_anyLimits_areCountedEachInItsOwnLimiter() {
    for (String policy : new String[] {"5/day", "5/day; 100/2day", "100/2day; 5/day"}) {
      states.states.clear();
      MemoryLimiter outer = outer(policy);
      for (int i = 0; i < 5; i++) {
        Decision decision = outer.tryAcquire("a");
        assertThat(decision.allowed()).as("%s, unit %d", policy, i).isTrue();
        assertThat(decision.remaining()).isEqualTo(4 - i);
      }
      assertThat(outer.isAllowed("a")).isFalse();
      assertThat(outer.tryAcquire("a").limit()).hasToString("5/day");
    }
    assertThat(calls.peek("x").remaining()).isLessThan(1_000);
  }

  /** The times of an answer beyond the end of an override are those of another decision. */
  @Test
  void reserve_ofAnOverriddenKey_givesBackWhatItTook() {
    MemoryLimiter outer = outer("9/day; 90/2day");
    outer.override("a", Policy.parse("5/day"), Instant.ofEpochSecond(0, START).plusSeconds(60));
    for (int i = 0; i < 9; i++) {
      Reservation reservation = outer.reserve("a", 5);
      assertThat(reservation.allowed()).as("reservation %d", i).isTrue();
      reservation.cancel();
    }
    assertThat(outer.peek("a").remaining()).isEqualTo(5);
    outer.reserve("a", 5).commit(2);
    assertThat(outer.peek("a").remaining()).isEqualTo(3);
  }

  @Test
  void decide_batchAndSeveralKeys_areAnsweredEachForItself() {
    MemoryLimiter outer = outer("5/day; 90/2day");
    outer.override("b", Policy.parse("7/day"), Instant.ofEpochSecond(0, START).plusSeconds(60));
    Batch batch = outer.newBatch(2);
    batch.add("a", 2);
    batch.add("b", 3);
    batch.add("b", 5);
    batch.decide();
    assertThat(batch.remaining(0)).isEqualTo(3);
    assertThat(batch.remaining(1)).isEqualTo(4);
    assertThat(batch.allowed(2)).isFalse();
    assertThat(batch.remaining(2)).isEqualTo(4);
    Decision both = Limiter.tryAcquireAll(outer.check("b", 1), outer.check("a", 1));
    assertThat(both.parts()).extracting(Decision::remaining).containsExactly(3L, 2L);
  }
}
