package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Check;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.MapStore;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.Store;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks over several keys, tables and stores, from many threads: all or nothing, no deadlock. */
@Timeout(120)
class TogetherStressTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final int KEYS = 12;
  private static final int ROUNDS = 20_000;

  /** A limiter and what its keys were admitted. */
  private static final class Account {
    final MemoryLimiter limiter;
    final long capacity;
    final AtomicLongArray admitted = new AtomicLongArray(KEYS);

    Account(String limit, Algorithm algorithm, @Nullable Store store) {
      Policy policy = new Policy(List.of(Limit.parse(limit)), algorithm, FailMode.CLOSED);
      var builder = Limiter.builder().policy(policy).clock(() -> START);
      limiter = store == null ? builder.build() : builder.store(store).build();
      capacity = policy.limits().get(0).capacity();
    }

    Check check(int key, long cost) {
      return limiter.check("key" + key, cost);
    }

    void checkSums() {
      for (int key = 0; key < KEYS; key++) {
        assertThat(limiter.peek("key" + key).remaining())
            .as("%s of %s", key, limiter.policy())
            .isEqualTo(capacity - admitted.get(key));
      }
    }
  }

  private final List<Account> accounts =
      List.of(
          new Account("100000/day", Algorithm.GCRA, null),
          new Account("3000/day", Algorithm.FIXED_WINDOW, null),
          new Account("2000/day", Algorithm.SLIDING_WINDOW_LOG, null),
          new Account("4000/day", Algorithm.GCRA, new MapStore()));

  @Test
  void tryAcquireAll_fromManyThreads_takesFromAllOrFromNone() throws Exception {
    SplittableRandom seeds = Trial.random("tryAcquireAll");
    Crew crew = new Crew();
    for (int i = 0; i < Crew.SIZE; i++) {
      SplittableRandom random = seeds.split();
      crew.add(
          () -> {
            for (int n = 0; n < ROUNDS * Trial.times(); n++) {
              takeTogether(random);
            }
          });
    }
    crew.run();
    accounts.forEach(Account::checkSums);
    long sum = 0;
    for (int key = 0; key < KEYS; key++) {
      sum += accounts.get(2).admitted.get(key);
    }
    assertThat(sum).as("the smallest one said no in the end").isGreaterThan(KEYS * 1_900L);
  }

  /** From two to five checks in any order, the same counter perhaps twice. */
  private void takeTogether(SplittableRandom random) {
    int size = 2 + random.nextInt(4);
    Check[] checks = new Check[size];
    int[] account = new int[size];
    int[] key = new int[size];
    for (int i = 0; i < size; i++) {
      account[i] = random.nextInt(accounts.size());
      key[i] = random.nextInt(KEYS);
      checks[i] = accounts.get(account[i]).check(key[i], 1 + random.nextInt(3));
    }
    if (Limiter.tryAcquireAll(checks).allowed()) {
      for (int i = 0; i < size; i++) {
        accounts.get(account[i]).admitted.addAndGet(key[i], checks[i].cost());
      }
    }
  }

  /** A policy of several limits is several counters of one key, in stripes of their own. */
  @Test
  void tryAcquire_severalLimitsPerKey_countTheSameInEachOfThem() throws Exception {
    SplittableRandom seeds = Trial.random("several limits");
    MemoryLimiter limiter =
        Limiter.builder().policy("1000/day; 1001/week; 1002/month").clock(() -> START).build();
    AtomicLongArray admitted = new AtomicLongArray(KEYS);
    Crew crew = new Crew();
    for (int i = 0; i < Crew.SIZE; i++) {
      SplittableRandom random = seeds.split();
      crew.add(
          () -> {
            for (int n = 0; n < ROUNDS * Trial.times(); n++) {
              int key = random.nextInt(KEYS);
              int cost = 1 + random.nextInt(3);
              if (limiter.tryAcquire("key" + key, cost).allowed()) {
                admitted.addAndGet(key, cost);
              }
            }
          });
    }
    crew.run();
    for (int key = 0; key < KEYS; key++) {
      assertThat(admitted.get(key)).isEqualTo(1_000);
      limiter.update(Policy.parse("1001/week; 1002/month"));
      assertThat(limiter.peek("key" + key).remaining()).as("of the week").isEqualTo(1);
    }
  }
}
