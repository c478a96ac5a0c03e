package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import io.penstock.core.state.Turn.Ask;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More threads than cores, on a few hot keys, while the table grows, forgets and changes. */
@Timeout(120)
class StateTableStressTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long MILLISECOND = 1_000_000;
  private static final int HOT_KEYS = 4;
  private static final int OTHER_KEYS = 50_000;
  private static final int CAPACITY = 3_000;

  private final AtomicLongArray admitted = new AtomicLongArray(HOT_KEYS);

  /** The same limit counted in every way that counts units exactly. */
  private static final List<Policy> POLICIES =
      List.of(
          policy("%d/day", Algorithm.GCRA),
          policy("%d/day", Algorithm.FIXED_WINDOW),
          policy("%d/day", Algorithm.SLIDING_WINDOW_LOG),
          policy("%d/day", Algorithm.TOKEN_BUCKET),
          policy("%d/day", Algorithm.SLIDING_WINDOW_COUNTER),
          policy("%d concurrent lease day", Algorithm.CONCURRENCY));

  private static Policy policy(String form, Algorithm algorithm) {
    String text = String.format(java.util.Locale.ROOT, form, CAPACITY);
    return new Policy(List.of(Limit.parse(text)), algorithm, FailMode.CLOSED);
  }

  private static long key(int number) {
    return (number + 1) * 0x9E37_79B9_7F4A_7C15L;
  }

  private void take(MemoryLimiter limiter, SplittableRandom random) {
    int hot = random.nextInt(HOT_KEYS);
    boolean quick = random.nextBoolean();
    long cost = quick ? 1 : 1 + random.nextInt(3);
    boolean allowed =
        quick ? limiter.isAllowedHash(key(hot)) : limiter.tryAcquireHash(key(hot), cost).allowed();
    if (allowed) {
      admitted.addAndGet(hot, cost);
    }
  }

  /** A key that only one thread asks for behaves as if there were no other thread. */
  private static void useAndReset(MemoryLimiter limiter, String own) {
    assertThat(limiter.tryAcquire(own, CAPACITY - 1).remaining()).isEqualTo(1);
    assertThat(limiter.tryAcquire(own, 2).allowed()).isFalse();
    assertThat(limiter.tryAcquire(own, 1).remaining()).isZero();
    limiter.reset(own);
    assertThat(limiter.peek(own).remaining()).isEqualTo(CAPACITY);
  }

  @Test
  void tryAcquire_clockStandsStill_admitsExactlyTheCapacityOfEveryHotKey() throws Exception {
    SplittableRandom seeds = Trial.random("clock stands still");
    MemoryLimiter limiter =
        Limiter.builder().policy(POLICIES.get(0)).clock(() -> START).maxBytes(32 << 20).build();
    AtomicInteger busy = new AtomicInteger(Crew.SIZE);
    Crew crew = new Crew();
    for (int i = 0; i < Crew.SIZE; i++) {
      SplittableRandom random = seeds.split();
      String own = "own" + i;
      crew.add(
          () -> {
            for (int n = 0; n < 20_000 * Trial.times(); n++) {
              take(limiter, random);
              long other = key(HOT_KEYS + random.nextInt(OTHER_KEYS));
              assertThat(limiter.tryAcquireHash(other, 1).allowed()).isTrue();
              if (n % 8 == 0) {
                useAndReset(limiter, own);
              }
            }
            busy.decrementAndGet();
          });
    }
    crew.add(
        () -> {
          for (int n = 0; busy.get() > 0; n++) {
            limiter.update(POLICIES.get(n / 50 % POLICIES.size()));
          }
        });
    crew.run();
    for (int i = 0; i < HOT_KEYS; i++) {
      long left = limiter.tryAcquireHash(key(i), 0).remaining();
      assertThat(admitted.get(i) + left).as("hot key %d", i).isEqualTo(CAPACITY);
    }
    assertThat(limiter.memory().refused()).isZero();
  }

  @Test
  void tryAcquire_clockAdvances_neverAdmitsMoreThanBurstAndRate() throws Exception {
    SplittableRandom seeds = Trial.random("clock advances");
    AtomicLong now = new AtomicLong(START);
    MemoryLimiter limiter =
        Limiter.builder().policy("1000/s burst 50").clock(now::get).maxBytes(128 << 10).build();
    Crew crew = new Crew();
    for (int i = 0; i < Crew.SIZE; i++) {
      SplittableRandom random = seeds.split();
      crew.add(
          () -> {
            for (int n = 0; n < 100_000 * Trial.times(); n++) {
              take(limiter, random);
              if (n % 4 == 0) {
                limiter.isAllowedHash(random.nextLong());
                now.addAndGet(random.nextLong(2 * MILLISECOND / Crew.SIZE));
              }
            }
          });
    }
    crew.run();
    long elapsed = now.get() - START;
    for (int i = 0; i < HOT_KEYS; i++) {
      long left = limiter.tryAcquireHash(key(i), 0).remaining();
      assertThat(admitted.get(i) + left)
          .as("hot key %d in %d ns", i, elapsed)
          .isLessThanOrEqualTo(50 + elapsed / MILLISECOND);
    }
    assertThat(limiter.memory().refused()).as("idle keys made room").isZero();
  }

  /** A policy changes at most so often that no decision lasts for thousands of changes. */
  private static void awaitAdvance(AtomicLong now, AtomicBoolean done) {
    long seen = now.get();
    while (now.get() - seen < 20 * MILLISECOND && !done.get()) {
      Thread.onSpinWait();
    }
  }

  /** Rates go up and down; what a key gets is bounded by the fastest that was ever in force. */
  @Test
  void tryAcquire_ratesChangeWhileTheClockAdvances_staysBelowTheFastestRate() throws Exception {
    SplittableRandom seeds = Trial.random("rates change");
    AtomicLong now = new AtomicLong(START);
    AtomicBoolean done = new AtomicBoolean();
    MemoryLimiter limiter = Limiter.builder().policy("1000/s").clock(now::get).build();
    Crew crew = new Crew();
    for (int i = 0; i < Crew.SIZE; i++) {
      SplittableRandom random = seeds.split();
      crew.add(
          () -> {
            for (int n = 0; n < 50_000 * Trial.times(); n++) {
              take(limiter, random);
              now.addAndGet(random.nextLong(MILLISECOND / 2));
            }
            done.set(true);
          });
    }
    crew.add(
        () -> {
          for (int n = 0; !done.get(); n++) {
            limiter.update(Policy.parse(n % 2 == 0 ? "10/s burst 1000" : "1000/s"));
            awaitAdvance(now, done);
          }
        });
    crew.run();
    for (int i = 0; i < HOT_KEYS; i++) {
      assertThat(admitted.get(i)).isLessThanOrEqualTo(1_000 + (now.get() - START) / MILLISECOND);
    }
    now.addAndGet(200_000 * MILLISECOND);
    for (int i = 0; i < HOT_KEYS; i++) {
      assertThat(limiter.tryAcquireHash(key(i), 0).remaining())
          .as("1,000 units at ten a second have drained, and nothing was blocked for longer")
          .isEqualTo(1_000);
    }
  }

  /** The first wide slots of a table come while single ones are being written elsewhere. */
  @Test
  void play_firstSlotsOfTwoKindsAtOnce_neverLosesAKey() throws Exception {
    SplittableRandom seeds = Trial.random("two kinds at once");
    for (int round = 0; round < 60 * Trial.times(); round++) {
      Rules rules = new Rules();
      StateTable table = StateTable.of(rules, 1 << 20);
      Rule one = rules.add(Limit.parse("9/day"), Algorithm.GCRA, /* slot= */ 0, START);
      Rule three = rules.add(Limit.parse("9/day"), Algorithm.FIXED_WINDOW, /* slot= */ 1, START);
      long[] keys = seeds.longs(600).toArray();
      Crew crew = new Crew();
      for (int i = 0; i < Crew.SIZE; i++) {
        int first = i * keys.length / Crew.SIZE;
        Rule rule = i % 2 == 0 ? one : three;
        crew.add(
            () -> {
              Turn turn = new Turn();
              for (int n = 0; n < 3 * keys.length; n++) {
                long key = KeyHash.slot(keys[(first + n) % keys.length], rule.slot());
                table.play(turn.of(key, rule, START).asks(Ask.TAKE, 1, /* ticket= */ 0));
              }
            });
      }
      crew.run();
      new Inside(table).check();
      Turn turn = new Turn();
      for (long key : keys) {
        for (Rule rule : List.of(one, three)) {
          long slot = KeyHash.slot(key, rule.slot());
          table.play(turn.of(slot, rule, START).asks(Ask.TAKE, 0, /* ticket= */ 0));
          int threads = (Crew.SIZE + 1 - rule.slot()) / 2;
          assertThat(turn.step().remaining()).isEqualTo(Math.max(0, 9 - 3 * threads));
        }
      }
    }
  }

  /** Who only looks takes no lock, and must notice that somebody moves what it reads. */
  @Test
  void play_lookedAtWhileTheStripeIsWrittenAnew_isSeenWhole() throws Exception {
    Rules rules = new Rules();
    StateTable table = StateTable.of(rules, 64 << 10);
    Rule single = rule(rules, Algorithm.GCRA, "9/day");
    Rule wide = rule(rules, Algorithm.FIXED_WINDOW, "9/day");
    List<Rule> passing =
        List.of(
            rule(rules, Algorithm.GCRA, "1000/s"),
            rule(rules, Algorithm.GCRA, "700001/s burst 700"));
    for (Rule rule : List.of(single, wide)) {
      table.play(new Turn().of(stripeZero(rule.number()), rule, START).asks(Ask.TAKE, 5, 0));
    }
    SplittableRandom random = Trial.random("looked at");
    AtomicBoolean done = new AtomicBoolean();
    Crew crew = new Crew();
    crew.add(
        () -> {
          Turn turn = new Turn();
          for (int n = 0; n < 60_000 * Trial.times(); n++) {
            Rule rule = passing.get(n / 50 % 2);
            long now = START + n / 50 * MILLISECOND;
            table.play(turn.of(stripeZero(random.nextLong()), rule, now).asks(Ask.TAKE, 1, 0));
          }
          done.set(true);
        });
    for (Rule rule : List.of(single, wide)) {
      crew.add(
          () -> {
            Turn turn = new Turn();
            while (!done.get()) {
              table.play(turn.of(stripeZero(rule.number()), rule, START).asks(Ask.TAKE, 0, 0));
              assertThat(turn.step().remaining()).as("of %s", rule.limit()).isEqualTo(4);
            }
          });
    }
    crew.run();
  }

  private static Rule rule(Rules rules, Algorithm algorithm, String limit) {
    return rules.add(Limit.parse(limit), algorithm, /* slot= */ 0, START);
  }

  /** A key of the first stripe, whatever the number of stripes. */
  private static long stripeZero(long number) {
    return number << 40 ^ number >>> 24 << 14;
  }
}
