package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A generation holds every decision whole, whoever decides meanwhile (R9). */
@Timeout(60)
class GenerationTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final int KEYS_EACH = 6;
  private static final int USED_EACH = 500;
  private static final int STRIPES = 8;
  private static final int CUTS = 150;
  private static final int GROWN_MAX = 1_000;

  /* Milliseconds: whoever does not wait is over long before. */
  private static final int SPINS = 1_000_000;

  private final Rules rules = new Rules();
  private final Rule rule =
      rules.add(Limit.parse("1000/day"), Algorithm.GCRA, /* slot= */ 0, START);
  private final StateTable table = StateTable.tracked(rules, 4 << 20, STRIPES);

  /** Keys among which one thread moves units, so that it knows what each of them has used. */
  private final class Purse {
    private final SplittableRandom random;
    private final Together together = new Together();
    private final Turn turn = new Turn();
    private final long[] keys;
    private final int[] used = new int[KEYS_EACH];
    private int grown;

    Purse(SplittableRandom random) {
      this.random = random;
      this.keys = random.longs(KEYS_EACH).toArray();
      Arrays.fill(used, USED_EACH);
      for (long key : keys) {
        table.play(turn.of(key, rule, START).asks(Ask.TAKE, USED_EACH, /* ticket= */ 0));
      }
    }

    /** Moves some of what one key has used to another, which must have room for it. */
    void move() {
      int from = random.nextInt(KEYS_EACH);
      int to = (from + 1 + random.nextInt(KEYS_EACH - 1)) % KEYS_EACH;
      int units = Math.min(used[from], random.nextInt(300));
      together.clear();
      together.add(table).of(keys[from], rule, START).asks(Ask.GIVE_BACK, units, /* ticket= */ 0);
      together.add(table).of(keys[to], rule, START).asks(Ask.TAKE, units, /* ticket= */ 0);
      assertThat(together.isPlayed()).isTrue();
      boolean moved = together.allowed();
      assertThat(moved).isEqualTo(used[to] + units <= rule.limit().capacity());
      used[from] -= moved ? units : 0;
      used[to] += moved ? units : 0;
    }

    /** A key that was never there makes the table grow. */
    void grow() {
      grown++;
      table.play(turn.of(random.nextLong(), rule, START).asks(Ask.TAKE, 1, /* ticket= */ 0));
    }

    void check(Map<Long, Long> untils) {
      long sum = 0;
      for (long key : keys) {
        long known = Slots.hash(Slots.header(key, 0, 0), table.stripe(key));
        long until = untils.getOrDefault(known, 0L);
        sum += Math.max(0, until - START) / rule.limit().unitNumerator();
      }
      assertThat(sum).isEqualTo((long) KEYS_EACH * USED_EACH);
    }
  }

  private Purse[] purses(SplittableRandom seeds) {
    Purse[] purses = new Purse[Crew.SIZE];
    Arrays.setAll(purses, i -> new Purse(seeds.split()));
    return purses;
  }

  private static StateSink into(Map<Long, Long> untils) {
    return (hash, serial, words, from, length) -> untils.put(hash, words[from]);
  }

  @Test
  void r9_unitsMoveBetweenKeysWhileItCuts_neverLosesOrDoublesOne() throws Exception {
    Purse[] purses = purses(Trial.random("generations"));
    AtomicInteger left = new AtomicInteger(CUTS * Trial.times());
    Map<Long, Long> untils = new HashMap<>();
    Crew crew = new Crew();
    for (Purse purse : purses) {
      crew.add(
          () -> {
            while (left.get() > 0) {
              purse.move();
              if (purse.random.nextInt(64) == 0 && purse.grown < GROWN_MAX) {
                purse.grow();
              }
            }
          });
    }
    crew.add(
        () -> {
          while (left.getAndDecrement() > 0) {
            table.tracked().cut();
            table.tracked().drainChanges(into(untils));
            for (Purse purse : purses) {
              purse.check(untils);
            }
          }
        });
    crew.run();
    new Inside(table).check();
  }

  /** Between two stripes of a listing somebody decides about keys of both: it is not in it. */
  /** Who holds a stripe may have read the number before: what it writes must be listed. */
  @Test
  void r9_stripeHeldWhileItCuts_isWaitedFor() throws InterruptedException {
    long before = table.number();
    Thread cutting = new Thread(() -> table.tracked().cut());
    table.lock(STRIPES - 1);
    cutting.start();
    while (table.number() == before) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < SPINS && cutting.isAlive(); i++) {
      Thread.onSpinWait();
    }
    boolean isWaiting = cutting.isAlive();
    table.unlock(STRIPES - 1);
    cutting.join();
    assertThat(isWaiting).isTrue();
  }

  @Test
  void r9_unitsMovedWhileItLists_areWhereTheyWere() {
    Purse purse = new Purse(Trial.random("moved meanwhile"));
    Map<Long, Long> untils = new HashMap<>();
    for (int i = 0; i < CUTS; i++) {
      table.tracked().cut();
      purse.move();
      table
          .tracked()
          .drainChanges(
              (hash, serial, words, from, length) -> {
                untils.put(hash, words[from]);
                purse.move();
                if (purse.grown < GROWN_MAX && untils.size() % 8 == 0) {
                  purse.grow();
                }
              });
      purse.check(untils);
    }
  }

  /** All that is there, listed while decisions go on, and the changes until later, are exact. */
  @Test
  void list_withTheChangesAfterIt_isWhatThereWasAtTheLastCut() throws Exception {
    Purse[] purses = purses(Trial.random("list and changes"));
    AtomicInteger busy = new AtomicInteger(purses.length);
    Map<Long, Long> untils = new HashMap<>();
    Crew crew = new Crew();
    for (Purse purse : purses) {
      crew.add(
          () -> {
            for (int moves = 0; moves < 30_000; moves++) {
              purse.move();
              if (moves % 16 == 0) {
                purse.grow();
              }
            }
            busy.decrementAndGet();
          });
    }
    crew.add(
        () -> {
          table.tracked().forgetChanges();
          table.tracked().list(into(untils));
          while (busy.get() > 0) {
            table.tracked().cut();
            table.tracked().drainChanges(into(untils));
            for (Purse purse : purses) {
              purse.check(untils);
            }
          }
        });
    crew.run();
    table.tracked().cut();
    table.tracked().drainChanges(into(untils));
    Map<Long, Long> now = new HashMap<>();
    table.tracked().list(into(now));
    Set<Long> all = new HashSet<>(untils.keySet());
    all.addAll(now.keySet());
    for (long key : all) {
      long there = Math.max(START, now.getOrDefault(key, START));
      assertThat(Math.max(START, untils.getOrDefault(key, START))).as("%x", key).isEqualTo(there);
    }
  }
}
